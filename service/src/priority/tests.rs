use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::*;

const BUSY: Duration = Duration::from_millis(400);

/// So long does a caller wait beside others, one for each thread that serves, whose requests keep a thread busy.
async fn waits_beside(long: usize) -> Duration {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let caller = thread::spawn(move || {
        let mut busy: Vec<_> = (0..long).map(|_| TcpStream::connect(address).unwrap()).collect();
        let mut quick = TcpStream::connect(address).unwrap();
        for stream in &mut busy {
            stream.write_all(b"l").unwrap();
        }
        thread::sleep(Duration::from_millis(50));
        let begin = Instant::now();
        quick.write_all(b"q").unwrap();
        quick.read_exact(&mut [0]).unwrap();
        let time = begin.elapsed();
        for stream in &mut busy {
            stream.read_exact(&mut [0]).unwrap();
        }
        time
    });
    let long_work = Arc::new(LongWork::start().unwrap());
    for _ in 0..=long {
        let (mut stream, _) = listener.accept().await.unwrap();
        let long_work = Arc::clone(&long_work);
        tokio::spawn(async move {
            let mut byte = [0];
            stream.read_exact(&mut byte).await.unwrap();
            let answer = long_work.run(async move {
                if byte == *b"l" {
                    go_on_as_long_work().await;
                    thread::sleep(BUSY);
                }
                byte
            });
            stream.write_all(&answer.await).await.unwrap();
        });
    }
    tokio::task::spawn_blocking(move || caller.join().unwrap()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_quick_request_does_not_wait_for_those_that_take_long() {
    let time = tokio::spawn(waits_beside(2)).await.unwrap();
    assert!(time < BUSY / 2, "{time:?}");
}

#[tokio::test]
async fn only_what_says_that_it_takes_long_is_moved_and_its_answer_comes_back() {
    let name = || thread::current().name().map(str::to_owned);
    let long_work = LongWork::start().unwrap();
    let here = long_work.run(async move {
        tokio::task::yield_now().await;
        name()
    });
    assert_eq!(here.await, name());
    let there = long_work.run(async move {
        go_on_as_long_work().await;
        name()
    });
    assert_eq!(there.await.as_deref(), Some("long-work"));
}

#[tokio::test]
async fn what_is_not_waited_for_any_more_ends_where_it_runs() {
    let long_work = LongWork::start().unwrap();
    let (running, mut ended) = tokio::sync::mpsc::channel::<()>(1);
    let waits = long_work.run(async move {
        go_on_as_long_work().await;
        running.send(()).await.unwrap();
        std::future::pending::<()>().await;
    });
    tokio::select! {
        () = waits => {}
        begun = ended.recv() => assert_eq!(begun, Some(())),
    }
    assert_eq!(ended.recv().await, None);
}

#[tokio::test]
async fn a_panic_there_is_one_here() {
    let long_work = Arc::new(LongWork::start().unwrap());
    let moved = tokio::spawn(async move {
        long_work
            .run(async {
                go_on_as_long_work().await;
                panic!("on purpose");
            })
            .await;
    });
    assert!(moved.await.unwrap_err().is_panic());
}

#[tokio::test]
async fn what_takes_long_goes_on_where_there_are_no_such_threads() {
    go_on_as_long_work().await;
}

#[tokio::test]
async fn dropped_where_others_are_served_the_threads_are_not_waited_for() {
    let begin = Instant::now();
    let long_work = LongWork::start().unwrap();
    long_work.threads.spawn(async { thread::sleep(BUSY) });
    tokio::time::sleep(BUSY / 10).await;
    drop(long_work);
    assert!(begin.elapsed() < BUSY);
}
