//! Bodies of answers that are sent piece by piece and hold something until they are sent.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};

/// What is given to the connection at a time: it takes no more than a few of these at once, so that the rest of a large
/// answer stays here, where it is counted.
const PIECE: usize = 32 << 10;

/// A body and what is held until it has been sent or nobody wants it any more.
pub(crate) struct Held<T> {
    body: Body,
    rest: Bytes,
    held: Option<T>,
}

impl<T: Send + Unpin + 'static> Held<T> {
    /// The body, with `held` for as long as it is being sent.
    pub(crate) fn wrap(body: Body, held: T) -> Body {
        Body::new(Self { body, rest: Bytes::new(), held: Some(held) })
    }
}

impl<T: Unpin> HttpBody for Held<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(bytes) => self.rest = bytes,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                end => {
                    self.held = None;
                    return Poll::Ready(end);
                }
            }
        }
        let piece = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(piece)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (inner, rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower() + rest);
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}
