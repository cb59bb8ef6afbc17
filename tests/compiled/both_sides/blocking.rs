//! Calls without async code, of a service at a socket.

use compiled_client::runtime::blocking;
use compiled_server::pagination::router;
use compiled_server::runtime::server::Options;
use tokio::runtime::Runtime;

use crate::pages::Seven;
use crate::serve::client_of;

#[test]
fn calls_block_and_streams_are_iterators() {
    let service = Runtime::new().expect("a runtime");
    let client = service.block_on(client_of(router(Seven, &Options::default())));
    let lists = client.pagination();

    let page = lists.list_numbered(()).send_blocking().expect("it is answered");
    assert_eq!(page.items.len(), 3);
    let response = blocking::wait(lists.list_numbered(()).with_response()).expect("it is answered");
    assert_eq!((response.status().as_u16(), response.value), (200, page));
    let ids: Result<Vec<_>, _> =
        blocking::iter(lists.list_numbered(()).items()).map(|item| item.map(|item| item.id)).collect();
    assert_eq!(ids.expect("every page is answered"), [0, 1, 2, 3, 4, 5, 6]);

    // Connections stay open between calls, and a server that is gone is an error.
    drop(service);
    lists.list_numbered(()).send_blocking().expect_err("nobody listens");
}

#[tokio::test]
#[should_panic(expected = "Cannot start a runtime from within a runtime")]
async fn in_async_code_a_call_is_awaited() {
    let client = client_of(router(Seven, &Options::default())).await;
    let _ = client.pagination().list_numbered(()).send_blocking();
}
