//! Paginated lists as streams.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::vec;

use futures_core::Stream;

use super::Response;
use super::call::{Answering, Call, Reading};
use super::error::{Error, Unanswered};
use super::page::{Facts, Page, Position};
use super::parts::Parts;
use super::request_error::RequestProblem;

/// The pages of a list: a [`Stream`] that requests pages as they are needed. It ends after the first error.
#[must_use = "streams do nothing unless they are polled"]
pub struct Pages<T, E> {
    reading: Reading<T, E>,
    position: Position,
    state: State<T, E>,
}

enum State<T, E> {
    /// The request of the next page.
    Ready(Box<Parts>),
    /// A requested page, and its request, from which the next one is made.
    Waiting(Answering<T, E>, Box<Parts>),
    /// Why there is no next page, although there should be.
    Failed(Error<E>),
    Done,
}

impl<T, E> Call<T, E> {
    /// Returns this page and all following ones.
    pub fn pages(self) -> Pages<T, E>
    where
        T: Page,
    {
        Pages::new(self)
    }

    /// Returns the items of this page and of all following ones.
    pub fn items(self) -> Items<T, E>
    where
        T: Page,
    {
        Items::new(self.pages())
    }
}

impl<T: Page, E> Pages<T, E> {
    pub(super) fn new(mut call: Call<T, E>) -> Self {
        let position = Position::begin(&mut call.parts);
        Self { reading: call.reading, position, state: State::Ready(call.parts) }
    }

    /// The next page; `None` after the last.
    pub async fn try_next(&mut self) -> Result<Option<T>, Error<E>> {
        poll_fn(|context| self.poll(context)).await.transpose()
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, Error<E>>>> {
        loop {
            match std::mem::replace(&mut self.state, State::Done) {
                State::Done => return Poll::Ready(None),
                State::Failed(error) => return Poll::Ready(Some(Err(error))),
                State::Ready(request) => {
                    let Some(again) = request.again() else {
                        let unsent = Unanswered::request(request.operation, RequestProblem::Stream);
                        return Poll::Ready(Some(Err(unsent.into())));
                    };
                    self.state = State::Waiting(Call { parts: request, reading: self.reading }.send(), Box::new(again));
                }
                State::Waiting(mut answering, request) => {
                    let Poll::Ready(answer) = Pin::new(&mut answering).poll(context) else {
                        self.state = State::Waiting(answering, request);
                        return Poll::Pending;
                    };
                    return Poll::Ready(Some(answer.map(|page| self.turn(page, request))));
                }
            }
        }
    }

    /// Returns a page, and prepares the request of the next one.
    fn turn(&mut self, page: Response<T>, mut request: Box<Parts>) -> T {
        let Response { value, raw, url } = page;
        let facts = Facts {
            count: value.count() as u64,
            total: value.total(),
            next: value.next(),
            headers: &raw.headers,
            body: &raw.bytes,
            url: &url,
        };
        self.state = match self.position.advance(&mut request, &facts) {
            Ok(true) => State::Ready(request),
            Ok(false) => State::Done,
            Err(unreadable) => State::Failed(Error::unreadable_page(request.operation, raw, unreadable)),
        };
        value
    }
}

/// The items of a list: a [`Stream`] that requests the next page when the items of the previous one are used
/// up. It ends after the first error.
#[must_use = "streams do nothing unless they are polled"]
pub struct Items<T: Page, E> {
    pages: Pages<T, E>,
    items: vec::IntoIter<T::Item>,
}

impl<T: Page, E> Items<T, E> {
    pub(super) fn new(pages: Pages<T, E>) -> Self {
        Self { pages, items: Vec::new().into_iter() }
    }

    /// The next item; `None` after the last.
    pub async fn try_next(&mut self) -> Result<Option<T::Item>, Error<E>> {
        poll_fn(|context| self.poll(context)).await.transpose()
    }

    /// All items that are left.
    pub async fn try_collect(mut self) -> Result<Vec<T::Item>, Error<E>> {
        let mut items = Vec::new();
        while let Some(item) = self.try_next().await? {
            items.push(item);
        }
        Ok(items)
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T::Item, Error<E>>>> {
        loop {
            if let Some(item) = self.items.next() {
                return Poll::Ready(Some(Ok(item)));
            }
            match self.pages.poll(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error))),
                Poll::Ready(Some(Ok(page))) => self.items = page.into_items().into_iter(),
            }
        }
    }
}

// Neither has a field that is pinned.
impl<T, E> Unpin for Pages<T, E> {}
impl<T: Page, E> Unpin for Items<T, E> {}

impl<T: Page, E> Stream for Pages<T, E> {
    type Item = Result<T, Error<E>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll(context)
    }
}

impl<T: Page, E> Stream for Items<T, E> {
    type Item = Result<T::Item, Error<E>>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll(context)
    }
}
