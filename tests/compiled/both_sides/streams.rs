//! Server-sent events, JSON Lines and JSON text sequences, item by item.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use crate::client_side::streams as sent;
use crate::client_side::{Client, ClientBuilder, Event as SentEvent, ItemBody, ItemError, models as seen};
use crate::server_side::models::{Reading, Tick, Word};
use crate::server_side::runtime::server::{Call, Failure, Options};
use crate::server_side::runtime::server_stream::ItemStream;
use crate::server_side::runtime::stream::Event;
use crate::server_side::streams::{
    Complete, CompleteOkBody, EchoSequence, ExportReadings, ExportReadingsResponse, ImportReadings, SendTicks, Stream,
    Streams, WatchTicks, router,
};
use futures_util::{TryStreamExt, stream};
use http::header::ACCEPT;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, mpsc};
use tokio::time::{sleep, timeout};

use crate::serve::{client_in_memory, serve};

/// Long enough for anything that happens at once, even on a busy machine.
const SOON: Duration = Duration::from_mins(2);

type Ticks = mpsc::Receiver<Result<Event<Tick>, Failure>>;

/// Sends items from a channel, and forwards received ones to another.
pub(crate) struct Service {
    ticks: Mutex<Option<Ticks>>,
    arrived: mpsc::UnboundedSender<String>,
    made: Arc<AtomicI32>,
}

impl Streams for Service {
    async fn watch_ticks(&self, _: Call<()>, _: WatchTicks) -> Result<ItemStream<Event<Tick>>, Failure<WatchTicks>> {
        let ticks = self.ticks.lock().await.take();
        ticks.map(ItemStream::from).ok_or_else(|| Failure::bad_request("the ticks are taken").into())
    }

    async fn send_ticks(&self, _: Call<()>, mut request: SendTicks) -> Result<i32, Failure<SendTicks>> {
        let mut count = 0;
        while let Some(Event { event, id, data, .. }) = request.body.next().await? {
            count += data.at;
            self.arrived.send(format!("{event:?} {id:?} {:?}", data.note))?;
        }
        Ok(count)
    }

    async fn stream(&self, _: Call<()>, _: Stream) -> Result<ItemStream<Event<String>>, Failure<Stream>> {
        let made = Arc::clone(&self.made);
        let endless = stream::repeat_with(move || {
            let index = made.fetch_add(1, Ordering::SeqCst);
            Ok::<_, Failure>(Event::new("line\n".repeat(10_000)).id(index.to_string()))
        });
        Ok(ItemStream::new(endless))
    }

    async fn complete(&self, call: Call<()>, request: Complete) -> Result<CompleteOkBody, Failure<Complete>> {
        let words = (0..request.body.words).map(|index| format!("w{index}"));
        if request.body.stream == Some(true) {
            let words = words.map(|text| Ok::<_, Failure>(Event::new(Word { text })));
            return Ok(CompleteOkBody::Events(ItemStream::new(stream::iter(words.collect::<Vec<_>>()))));
        }
        let accept = call.headers().get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
        Ok(CompleteOkBody::Json(words.chain([accept.to_owned()]).collect()))
    }

    async fn export_readings(
        &self,
        _: Call<()>,
        _: ExportReadings,
    ) -> Result<ExportReadingsResponse, Failure<ExportReadings>> {
        let reading = |value| Ok(Reading { sensor: "a\nü".to_owned(), value });
        let broken = Err(std::io::Error::other("the disk is gone"));
        let readings = stream::iter([reading(1.0), reading(2.5), broken]);
        Ok(ExportReadingsResponse { x_total: 2, body: ItemStream::new(readings) })
    }

    async fn import_readings(&self, _: Call<()>, mut request: ImportReadings) -> Result<i32, Failure<ImportReadings>> {
        let mut count = 0;
        while let Some(reading) = request.body.next().await? {
            count += 1;
            self.arrived.send(reading.sensor)?;
        }
        Ok(count)
    }

    async fn echo_sequence(
        &self,
        _: Call<()>,
        request: EchoSequence,
    ) -> Result<ItemStream<i64>, Failure<EchoSequence>> {
        match request.body {
            Some(body) => Ok(ItemStream::new(body)),
            None => Ok(ItemStream::new(stream::empty::<Result<_, Failure>>())),
        }
    }
}

/// A service with the test's ends of its channels.
struct Talk {
    client: Client,
    url: String,
    ticks: TickSender,
    arrived: mpsc::UnboundedReceiver<String>,
    made: Arc<AtomicI32>,
}

async fn talk(options: &Options) -> Talk {
    let (service, ticks, arrived) = service();
    let made = Arc::clone(&service.made);
    let url = serve(router(service, options)).await;
    let client = Client::builder(&url).and_then(ClientBuilder::build).expect("a client");
    Talk { client, url, ticks, arrived, made }
}

/// Sends the ticks of a service.
type TickSender = mpsc::Sender<Result<Event<Tick>, Failure>>;

/// A service, and the other ends of its channels.
pub(crate) fn service() -> (Service, TickSender, mpsc::UnboundedReceiver<String>) {
    let (ticks, receiver) = mpsc::channel(1);
    let (sender, arrived) = mpsc::unbounded_channel();
    (Service { ticks: Mutex::new(Some(receiver)), arrived: sender, made: Arc::default() }, ticks, arrived)
}

fn tick(at: i32) -> Event<Tick> {
    Event::new(Tick { at, note: Some("two\nlines ü".to_owned()) }).event("tick").id(at.to_string())
}

/// A server that sends these chunks to every client, one by one, and then keeps the connection or closes it.
async fn scripted(head: &'static str, pieces: Vec<Vec<u8>>, hangs_up: bool) -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let url = format!("http://{}", listener.local_addr().expect("it is bound"));
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.expect("somebody comes");
        socket.set_nodelay(true).expect("a socket");
        let mut request = [0; 4096];
        let _ = socket.read(&mut request).await;
        let _ = socket.write_all(head.as_bytes()).await;
        for piece in pieces {
            if socket.write_all(&piece).await.is_err() {
                return;
            }
            tokio::task::yield_now().await;
        }
        if !hangs_up {
            sleep(SOON * 10).await;
        }
    });
    let client = Client::builder(&url).map(|builder| builder.response_limit(1000));
    client.and_then(ClientBuilder::build).expect("a client")
}

const EVENTS: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

fn bytes(text: &str) -> Vec<Vec<u8>> {
    text.bytes().map(|byte| vec![byte]).collect()
}

#[tokio::test]
async fn an_event_is_there_as_soon_as_it_was_sent() {
    let Talk { client, ticks, .. } = talk(&Options::default()).await;
    let mut stream = client.streams().watch_ticks(()).await.expect("a stream");
    for at in 1..=3 {
        ticks.send(Ok(tick(at))).await.expect("somebody listens");
        let event = timeout(SOON, stream.next()).await.expect("it is not held back").expect("an event");
        let event = event.expect("not the end");
        assert_eq!(event.data, seen::Tick { at, note: Some("two\nlines ü".to_owned()) });
        assert_eq!((event.event.as_deref(), event.id), (Some("tick"), Some(at.to_string())));
    }
    drop(ticks);
    assert_eq!(stream.next().await.expect("no failure"), None);
    assert_eq!(stream.next().await.expect("no failure"), None);
    let error = client.streams().watch_ticks(()).await.expect_err("there is only one");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(400));
}

#[tokio::test]
async fn items_stop_when_the_caller_disconnects() {
    let Talk { client, ticks, .. } = talk(&Options::default()).await;
    let mut stream = client.streams().watch_ticks(()).await.expect("a stream");
    ticks.send(Ok(tick(1))).await.expect("somebody listens");
    stream.next().await.expect("an event").expect("not the end");
    drop(stream);
    timeout(SOON, ticks.closed()).await.expect("the service is told");
}

#[tokio::test]
async fn slow_readers_apply_backpressure() {
    let Talk { client, made, .. } = talk(&Options::default()).await;
    let mut stream = client.streams().stream(()).await.expect("a stream");
    let mut before = -1;
    // The socket buffers fill up.
    timeout(SOON, async {
        while std::mem::replace(&mut before, made.load(Ordering::SeqCst)) != made.load(Ordering::SeqCst) || before == 0
        {
            sleep(Duration::from_millis(200)).await;
        }
    })
    .await
    .expect("nobody makes events without end");
    for index in 0..before + 5 {
        let event = stream.next().await.expect("an event").expect("not the end");
        assert_eq!((event.id, event.data.len()), (Some(index.to_string()), 50_000));
    }
}

#[tokio::test]
async fn comments_keep_a_quiet_connection() {
    let Talk { url, client, ticks, .. } = talk(&Options::default().keep_alive(Duration::from_millis(20))).await;
    let mut socket = TcpStream::connect(url.trim_start_matches("http://")).await.expect("it listens");
    socket.write_all(b"GET /ticks HTTP/1.1\r\nhost: a\r\n\r\n").await.expect("it is sent");
    let mut text = String::new();
    timeout(SOON, async {
        while text.matches(":\n\n").count() < 3 {
            let mut piece = [0; 1024];
            let length = socket.read(&mut piece).await.expect("it is open");
            text.push_str(std::str::from_utf8(&piece[..length]).expect("text"));
        }
    })
    .await
    .expect("comments come");
    let head = text.to_ascii_lowercase();
    assert!(head.contains("content-type: text/event-stream; charset=utf-8\r\n"), "{head}");
    assert!(head.contains("cache-control: no-cache\r\n"), "{head}");
    drop((client, ticks));
}

#[tokio::test]
async fn events_are_read_wherever_their_chunks_end() {
    let text = "\u{FEFF}: hello\r\n\r\nid: 7\r\ndata: {\"at\":1,\rdata: \"note\":\"ü🦀\"}\n\r\ndata:{\"at\":2}\r\r";
    for size in [1, 2, 3, 7, 1000] {
        let pieces = text.as_bytes().chunks(size).map(<[u8]>::to_vec).collect();
        let client = scripted(EVENTS, pieces, true).await;
        let stream = client.streams().watch_ticks(()).await.expect("a stream");
        let events: Vec<_> = stream.try_collect().await.expect("events").into_iter().map(|event| event.data).collect();
        let expected = [seen::Tick { at: 1, note: Some("ü🦀".to_owned()) }, seen::Tick { at: 2, note: None }];
        assert_eq!(events, expected, "{size}");
    }
}

#[tokio::test]
async fn an_event_that_cannot_be_read_is_kept_and_the_next_one_comes() {
    let text = "event: e\nid: 1\ndata: {\"at\":\"x\"}\n\ndata: {\"at\":2}\n\ndata: [DONE]\n\ndata: {\"at\":3}\n\n";
    let client = scripted(EVENTS, bytes(text), false).await;
    let mut stream = client.streams().watch_ticks(()).await.expect("a stream");
    let Err(ItemError::Unreadable(item)) = stream.next().await else { panic!("it is no tick") };
    assert_eq!((item.raw.event.as_deref(), item.raw.id.as_deref(), item.line), (Some("e"), Some("1"), 4));
    assert_eq!((item.raw.data.as_str(), item.violations[0].pointer.as_str()), ("{\"at\":\"x\"}", "/at"));
    assert_eq!(stream.next().await.expect("a tick").map(|event| event.data.at), Some(2));
    // The connection is still open.
    assert_eq!(timeout(SOON, stream.next()).await.expect("it says that it is done").expect("no failure"), None);

    // A client that accepts any text gets one.
    let client = scripted(EVENTS, bytes("data: [DONE]\n\n"), true).await;
    let news = client.streams().stream(()).await.expect("a stream").try_collect().await.expect("texts");
    assert_eq!(news.into_iter().map(|event| event.data).collect::<Vec<_>>(), ["[DONE]"]);
}

#[tokio::test]
async fn a_stream_that_breaks_off_or_never_ends_a_line_fails() {
    let chunked = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let client = scripted(chunked, vec![b"10\r\ndata:{\"at\":1}\n\n\r\n9\r\nda".to_vec()], true).await;
    let mut stream = client.streams().watch_ticks(()).await.expect("a stream");
    assert_eq!(stream.next().await.expect("a tick").map(|event| event.data.at), Some(1));
    assert!(matches!(stream.next().await, Err(ItemError::BrokenOff(_))));
    assert_eq!(stream.next().await.expect("it has ended"), None);

    let client = scripted(EVENTS, vec![vec![b'x'; 600]; 2], false).await;
    let mut stream = client.streams().watch_ticks(()).await.expect("a stream");
    assert!(matches!(stream.next().await, Err(ItemError::TooLong(1000))));
    assert_eq!(stream.next().await.expect("it has ended"), None);
}

#[tokio::test]
async fn one_answer_is_whole_or_a_stream() {
    let client = talk(&Options::default()).await.client;
    let ask = |stream| sent::Complete { body: seen::Prompt { words: 2, stream: Some(stream) } };
    match client.streams().complete(ask(false)).await.expect("an answer") {
        sent::CompleteOkBody::Json(words) => assert_eq!(words, ["w0", "w1", "application/json, text/event-stream"]),
        sent::CompleteOkBody::Events(events) => panic!("{events:?}"),
    }
    match client.streams().complete(ask(true)).await.expect("an answer") {
        sent::CompleteOkBody::Events(events) => {
            let words: Vec<_> = events.map_ok(|event| event.data.text).try_collect().await.expect("words");
            assert_eq!(words, ["w0", "w1"]);
        }
        sent::CompleteOkBody::Json(words) => panic!("{words:?}"),
    }
}

#[tokio::test]
async fn lines_come_until_the_service_fails() {
    let Talk { client, .. } = talk(&Options::default()).await;
    let mut answer = client.streams().export_readings(()).await.expect("a stream");
    assert_eq!(answer.x_total, Ok(2));
    for value in [1.0, 2.5] {
        let reading = answer.body.next().await.expect("a reading").expect("not the end");
        assert_eq!(reading, seen::Reading { sensor: "a\nü".to_owned(), value });
    }
    assert!(matches!(answer.body.next().await, Err(ItemError::BrokenOff(_))));
}

#[tokio::test]
async fn a_line_arrives_before_the_next_one_is_made() {
    let Talk { client, mut arrived, .. } = talk(&Options::default()).await;
    let (sender, receiver) = mpsc::channel::<seen::Reading>(1);
    let readings = stream::unfold(receiver, |mut receiver| async {
        let reading = receiver.recv().await?;
        Some((Ok::<_, std::io::Error>(reading), receiver))
    });
    let call = client.streams().import_readings(sent::ImportReadings { body: ItemBody::stream(readings) });
    let call = tokio::spawn(call.into_future());
    for index in 0..3 {
        let sensor = format!("s{index}\n");
        sender.send(seen::Reading { sensor: sensor.clone(), value: 1.5 }).await.expect("it is taken");
        assert_eq!(timeout(SOON, arrived.recv()).await.expect("it is not held back"), Some(sensor));
    }
    drop(sender);
    assert_eq!(call.await.expect("no panic").expect("an answer"), 3);
}

#[tokio::test]
async fn what_is_wrong_with_a_line_is_reported_with_its_number() {
    let Talk { url, mut arrived, .. } = talk(&Options::default()).await;
    let post = async |body: String| {
        let request =
            reqwest::Client::new().post(format!("{url}/readings")).header("content-type", "application/x-ndjson");
        let answer = request.body(body).send().await.expect("an answer");
        (answer.status().as_u16(), answer.text().await.expect("a text"))
    };
    let good = "{\"sensor\":\"a\",\"value\":1}";
    let (status, text) = post(format!("{good}\r\n\n{{\"sensor\":\"\",\"value\":-1}}\n{good}\n")).await;
    assert_eq!(status, 422, "{text}");
    let problem: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let places: Vec<_> = problem["errors"].as_array().expect("all of them").iter().collect();
    let said = format!("{places:?}");
    assert!(places.len() == 2 && said.contains("/1/sensor") && said.contains("/1/value"), "{said}");
    assert_eq!(said.matches("(line 3)").count(), 2, "{said}");
    assert_eq!(arrived.recv().await.as_deref(), Some("a"), "the first one had been taken");

    assert_eq!(post("{\"sensor\":\n".to_owned()).await.0, 400);
    assert_eq!(post(format!("{{\"sensor\":\"{}\"}}\n", "a".repeat(2 << 20))).await.0, 413);
    assert_eq!(post(good.to_owned()).await, (200, "1".to_owned()));
}

#[tokio::test]
async fn events_and_sequences_are_sent_both_ways() {
    let Talk { client, mut arrived, url, .. } = talk(&Options::default()).await;
    let ticks: Vec<_> = (1..=3)
        .map(|at| SentEvent::new(seen::Tick { at, note: Some("a\nb".to_owned()) }).event("e").id(at.to_string()))
        .collect();
    let answer = client.streams().send_ticks(sent::SendTicks { body: ticks.into() }).await;
    assert_eq!(answer.expect("an answer"), 6);
    assert_eq!(arrived.recv().await.as_deref(), Some("Some(\"e\") Some(\"1\") Some(\"a\\nb\")"));

    let body = Some(vec![3, 1, 4].into());
    let stream = client.streams().echo_sequence(sent::EchoSequence { body }).await.expect("a stream");
    assert_eq!(stream.try_collect().await.expect("numbers"), [3, 1, 4]);
    let request = reqwest::Client::new().post(format!("{url}/sequence")).header("content-type", "application/json-seq");
    let answer = request.body("\u{1E}1\n\u{1E}2\n").send().await.expect("an answer");
    assert_eq!(answer.headers()["content-type"], "application/json-seq");
    assert_eq!(answer.text().await.expect("a text"), "\u{1E}1\n\u{1E}2\n");
}

#[tokio::test]
async fn items_go_one_by_one_without_a_socket_too() {
    let (service, ticks, mut arrived) = service();
    let client = client_in_memory(router(service, &Options::default()));
    let mut stream = client.streams().watch_ticks(()).await.expect("a stream");
    for at in 1..=2 {
        ticks.send(Ok(tick(at))).await.expect("somebody listens");
        let event = timeout(SOON, stream.next()).await.expect("it is not held back").expect("an event");
        assert_eq!(event.map(|event| event.data.at), Some(at));
    }
    drop(stream);
    timeout(SOON, ticks.closed()).await.expect("the service is told");

    let (sender, receiver) = mpsc::channel::<seen::Reading>(1);
    let readings = stream::unfold(receiver, |mut receiver| async {
        let reading = receiver.recv().await?;
        Some((Ok::<_, std::io::Error>(reading), receiver))
    });
    let call = client.streams().import_readings(sent::ImportReadings { body: ItemBody::stream(readings) });
    let call = tokio::spawn(call.into_future());
    for sensor in ["a", "b"] {
        let reading = seen::Reading { sensor: sensor.to_owned(), value: 1.5 };
        sender.send(reading).await.expect("it is taken");
        assert_eq!(timeout(SOON, arrived.recv()).await.expect("it is not held back").as_deref(), Some(sensor));
    }
    drop(sender);
    assert_eq!(call.await.expect("no panic").expect("an answer"), 2);

    let mut answer = client.streams().export_readings(()).await.expect("a stream");
    assert!(answer.body.next().await.expect("a reading").is_some() && answer.body.next().await.is_ok());
    let broken = answer.body.next().await.expect_err("the service fails");
    assert!(matches!(broken, ItemError::BrokenOff(_)));
}
