//! Long work lets what is quick go first.

/// Lets other threads go before this one, and before those that it starts, whenever both want a processor.
pub fn yield_to_others() {
    // Only on Linux does a thread have a priority of its own.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 10) {
        tracing::warn!(%error, "long work runs with the priority of everything else");
    }
}

/// Has another worker of the runtime wait for the connections, before this one has something to do that takes a while: the
/// worker that a connection has woken is the one that waits for all of them, and would do so again only when it is done.
pub fn let_others_listen() {
    // One task would be run next by this very worker. For two, another one is woken.
    for _ in 0..2 {
        drop(tokio::spawn(std::future::ready(())));
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read as _, Write as _},
        net::TcpStream,
        time::{Duration, Instant},
    };

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    /// So long does a caller wait beside one whose request keeps a worker busy for 400 ms.
    async fn waits_beside() -> Duration {
        const BUSY: Duration = Duration::from_millis(400);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let caller = std::thread::spawn(move || {
            let [mut long, mut quick] = [(); 2].map(|()| TcpStream::connect(address).unwrap());
            std::thread::sleep(Duration::from_millis(100));
            long.write_all(b"l").unwrap();
            std::thread::sleep(Duration::from_millis(50));
            let begin = Instant::now();
            quick.write_all(b"q").unwrap();
            quick.read_exact(&mut [0]).unwrap();
            begin.elapsed()
        });
        for _ in 0..2 {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut byte = [0];
                stream.read_exact(&mut byte).await.unwrap();
                if byte == *b"l" {
                    let_others_listen();
                    std::thread::sleep(BUSY);
                }
                stream.write_all(&byte).await.unwrap();
            });
        }
        tokio::task::spawn_blocking(move || caller.join().unwrap()).await.unwrap()
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_connection_does_not_wait_for_a_worker_that_is_busy_with_another() {
        let time = tokio::spawn(waits_beside()).await.unwrap();
        assert!(time < Duration::from_millis(200), "{time:?}");
    }
}
