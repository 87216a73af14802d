//! The bytes of a connection: answers that the HTTP library makes by itself get a body, and who is hung up on hears why.
//!
//! The library answers what it cannot read (a header that is none, an address that is too long) with a status and nothing else,
//! and offers no way to change that. Such an answer is known by its first bytes and by having no body; ours always have one.

use std::{
    future::Future as _,
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use ludex_core::{Error, ErrorCode};
use ludex_judge::answer::ErrorLine;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep},
};

/// How long, and for how many bytes, we listen to a client after our last word. Closing while it still talks would make
/// its system throw away what we said.
const LINGER: (Duration, usize) = (Duration::from_secs(1), 1 << 20);

/// A connection.
pub(crate) struct Wire {
    stream: TcpStream,
    /// What is left of an answer that takes the place of the library's own.
    instead: Vec<u8>,
    /// What is left of our patience after the last word.
    linger: Option<(Pin<Box<Sleep>>, usize)>,
}

impl Wire {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, instead: Vec::new(), linger: None }
    }

    /// Something to say before anything else.
    pub(crate) fn say(&mut self, bytes: Vec<u8>) {
        self.instead = bytes;
    }

    /// Write what takes the place of something else; whatever comes after it waits.
    fn poll_instead(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.instead.is_empty() {
            let n = ready!(Pin::new(&mut self.stream).poll_write(context, &self.instead))?;
            if n == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.instead.drain(..n);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_instead(context))?;
        match explained(bytes) {
            None => Pin::new(&mut self.stream).poll_write(context, bytes),
            Some(answer) => {
                self.instead = answer;
                // Not all of it may go out now; flush and shutdown see to the rest.
                let _ = self.poll_instead(context)?;
                Poll::Ready(Ok(bytes.len()))
            }
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let filled = slices.iter().filter(|slice| !slice.is_empty()).collect::<Vec<_>>();
        if let [only] = filled.as_slice() {
            return self.poll_write(context, only);
        }
        ready!(self.poll_instead(context))?;
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_instead(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.linger.is_none() {
            ready!(self.poll_instead(context))?;
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
            self.linger = Some((Box::pin(sleep(LINGER.0)), LINGER.1));
        }
        let mut trash = [0; 4096];
        let this = &mut *self;
        let Some((patience, left)) = &mut this.linger else { return Poll::Ready(Ok(())) };
        loop {
            if patience.as_mut().poll(context).is_ready() {
                return Poll::Ready(Ok(()));
            }
            let mut buffer = ReadBuf::new(&mut trash);
            let read = ready!(Pin::new(&mut this.stream).poll_read(context, &mut buffer));
            let n = buffer.filled().len();
            if read.is_err() || n == 0 || n > *left {
                return Poll::Ready(Ok(()));
            }
            *left -= n;
        }
    }
}

/// The answer in place of one that the library made by itself.
fn explained(bytes: &[u8]) -> Option<Vec<u8>> {
    let status = bytes.strip_prefix(b"HTTP/1.1 4").or(bytes.strip_prefix(b"HTTP/1.0 4"))?.get(..2)?;
    let bare = bytes.strip_suffix(b"\r\n\r\n")?;
    let has = |name: &[u8]| bare.windows(name.len()).any(|part| part.eq_ignore_ascii_case(name));
    if !has(b"content-length: 0") || has(b"content-type:") {
        return None;
    }
    let (status, error) = match status {
        b"14" => (
            414,
            Error::new(
                ErrorCode::UrlTooLong,
                "the address is too long",
                "put what is long into the body of a POST",
            ),
        ),
        b"31" => (
            431,
            Error::new(
                ErrorCode::TooLarge,
                "the header of the request is too large",
                "send at most 128 KiB and 100 fields",
            ),
        ),
        _ => {
            (400, Error::new(ErrorCode::BadQuery, "this is no HTTP/1.1 request", "speak HTTP/1.1: see /api"))
        }
    };
    Some(refusal(status, error))
}

/// A whole answer that ends its connection.
pub(crate) fn refusal(status: u16, error: Error) -> Vec<u8> {
    let retry = if matches!(status, 429 | 503) { "retry-after: 5\r\n" } else { "" };
    let body = serde_json::to_string(&ErrorLine::from(error)).unwrap_or_default();
    let reason =
        axum::http::StatusCode::from_u16(status).ok().and_then(|s| s.canonical_reason()).unwrap_or("Error");
    let length = body.len();
    format!(
        "HTTP/1.1 {status} {reason}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{retry}\
         x-content-type-options: nosniff\r\ncache-control: no-store\r\nconnection: close\r\n\r\n{body}"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bare_errors_are_replaced() {
        let bare = b"HTTP/1.1 414 URI Too Long\r\ncontent-length: 0\r\ndate: now\r\n\r\n";
        let said = String::from_utf8(explained(bare).unwrap()).unwrap();
        assert!(said.starts_with("HTTP/1.1 414 ") && said.contains("\"code\":\"url_too_long\""), "{said}");
        for ours in [
            &b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"[..],
            b"HTTP/1.1 304 Not Modified\r\n\r\n",
            b"HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: 0\r\n\r\n",
            b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n{}",
            b"4",
        ] {
            assert_eq!(explained(ours), None);
        }
    }
}
