//! Reads an HTTP post, or gives the reason for refusing it.

use crate::web::{BadRequest, HttpHead, foreign_sender};
use std::{
    io::{self, Read},
    net::SocketAddr,
};

/// More than the samples of any problem need.
const MAX_BODY: u64 = 16 << 20;

/// A refused request: the status line and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// `405 Method Not Allowed`.
    pub(crate) status: &'static str,
    /// The reason, for people.
    pub(crate) why: String,
}

fn refuse<T>(status: &'static str, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { status, why: why.into() })
}

/// The body of a post that comes from this machine and not from a web page.
pub(crate) fn read_post(mut stream: impl Read, address: SocketAddr) -> Result<Vec<u8>, Refusal> {
    let head = HttpHead::read(&mut stream).map_err(Refusal::of)?;
    if head.method != "POST" {
        return refuse("405 Method Not Allowed", "only problems are taken, by POST");
    }
    if let Some(why) = foreign_sender(&head, address) {
        return refuse("403 Forbidden", why);
    }
    let Ok(Some(length)) = head.body_length() else {
        return refuse("411 Length Required", "a body needs its length");
    };
    if length > MAX_BODY {
        return refuse("413 Content Too Large", "more than 16 MiB");
    }
    head.read_body(&mut stream, length).map_err(Refusal::of)
}

impl Refusal {
    fn of(bad: BadRequest) -> Refusal {
        let status = match &bad {
            BadRequest::Version => "505 HTTP Version Not Supported",
            BadRequest::TooLarge => "431 Request Header Fields Too Large",
            BadRequest::Broken(error)
                if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
            {
                "408 Request Timeout"
            }
            BadRequest::Malformed(_) | BadRequest::Broken(_) => "400 Bad Request",
        };
        Refusal { status, why: bad.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(head: &str, body: &str) -> Result<Vec<u8>, &'static str> {
        let text = format!("{head}\r\n\r\n{body}");
        read_post(text.as_bytes(), ([127, 0, 0, 1], 27121).into())
            .map_err(|refusal| refusal.status.split(' ').next().unwrap())
    }

    #[test]
    fn only_a_post_of_known_length_from_this_machine_is_taken() {
        let head = "POST / HTTP/1.1\r\nHost: localhost:27121\r\nContent-Length: 2";
        assert_eq!(post(head, "{}"), Ok(b"{}".to_vec()));
        for (head, body, status) in [
            ("GET / HTTP/1.1\r\nHost: localhost", "", "405"),
            ("POST / HTTP/1.1\r\nHost: localhost", "", "411"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked", "0\r\n\r\n", "411"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999", "", "413"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1", "", "411"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9", "{}", "400"),
            ("POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2", "{}", "403"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\nContent-Length: 2", "{}", "403"),
            ("POST / HTTP/2\r\nHost: localhost", "", "505"),
            ("nonsense", "", "400"),
        ] {
            assert_eq!(post(head, body), Err(status), "{head}");
        }
        let long = format!("POST / HTTP/1.1\r\nX: {}", "x".repeat(20_000));
        assert_eq!(post(&long, ""), Err("431"));
    }
}
