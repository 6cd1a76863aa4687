//! Reads an HTTP post, or gives the reason for refusing it.

use crate::web::{BadRequest, HttpHead};
use std::io::{self, Read};

/// More than the samples of any problem need.
const MAX_BODY: u64 = 16 << 20;

/// URL schemes of browser extensions.
const EXTENSION_SCHEMES: [&str; 3] = ["chrome-extension", "moz-extension", "safari-web-extension"];

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
pub(crate) fn read_post(mut stream: impl Read, port: u16) -> Result<Vec<u8>, Refusal> {
    let head = HttpHead::read(&mut stream).map_err(Refusal::of)?;
    if head.method != "POST" {
        return refuse("405 Method Not Allowed", "only problems are taken, by POST");
    }
    check_sender(&head, port)?;
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

/// Refuses posts from web pages. A page can make a browser post here, or point its own domain to this address.
fn check_sender(head: &HttpHead, port: u16) -> Result<(), Refusal> {
    let own = ["localhost", "127.0.0.1", "[::1]"].map(|name| [name.to_owned(), format!("{name}:{port}")]);
    let is_own = |host: &str| own.iter().flatten().any(|known| known.eq_ignore_ascii_case(host));
    match head.values("host").as_slice() {
        [host] if is_own(host) => {}
        _ => return refuse("403 Forbidden", "not addressed to this machine"),
    }
    if let Some(origin) = head.values("origin").into_iter().find(|origin| !is_extension(origin)) {
        return refuse("403 Forbidden", format!("sent by a web page ({})", origin.escape_debug()));
    }
    if head.values("sec-fetch-site").contains(&"cross-site") {
        return refuse(
            "403 Forbidden",
            "sent by a web page, or by an extension without a permission for this address",
        );
    }
    Ok(())
}

/// Whether the origin is an extension. `null` is not: it is a web page in a sandboxed frame.
fn is_extension(origin: &str) -> bool {
    origin.split_once("://").is_some_and(|(scheme, _)| EXTENSION_SCHEMES.contains(&scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(head: &str, body: &str) -> Result<Vec<u8>, &'static str> {
        let text = format!("{head}\r\n\r\n{body}");
        read_post(text.as_bytes(), 27121).map_err(|refusal| refusal.status.split(' ').next().unwrap())
    }

    #[test]
    fn only_a_post_of_known_length_from_this_machine_is_taken() {
        let head = "POST / HTTP/1.1\r\nHost: localhost:27121\r\nContent-Length: 2";
        assert_eq!(post(head, "{}"), Ok(b"{}".to_vec()));
        for scheme in ["chrome-extension", "moz-extension", "safari-web-extension"] {
            let sent = format!("{head}\r\nOrigin: {scheme}://abc\r\nSec-Fetch-Site: none");
            assert_eq!(post(&sent, "{}"), Ok(b"{}".to_vec()), "{scheme}");
        }
        for of_page in [
            "Origin: null",
            "Origin: https://evil.example",
            "Origin: http://localhost:27121",
            "Origin: https://evil-extension://abc",
            "Origin: evil-extension://abc",
            "Origin: CHROME-EXTENSION",
            "Origin: chrome-extension://abc\r\nOrigin: null",
            "Sec-Fetch-Site: cross-site",
            "Origin: chrome-extension://abc\r\nSec-Fetch-Site: cross-site",
        ] {
            assert_eq!(post(&format!("{head}\r\n{of_page}"), "{}"), Err("403"), "{of_page}");
        }
        for (head, body, status) in [
            ("GET / HTTP/1.1\r\nHost: localhost", "", "405"),
            ("POST / HTTP/1.1\r\nHost: localhost", "", "411"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked", "0\r\n\r\n", "411"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999", "", "413"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1", "", "411"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9", "{}", "400"),
            ("POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2", "{}", "403"),
            ("POST / HTTP/1.1\r\nContent-Length: 2", "{}", "403"),
            ("POST / HTTP/2\r\nHost: localhost", "", "505"),
            ("nonsense", "", "400"),
        ] {
            assert_eq!(post(head, body), Err(status), "{head}");
        }
        let long = format!("POST / HTTP/1.1\r\nX: {}", "x".repeat(20_000));
        assert_eq!(post(&long, ""), Err("431"));
    }
}
