//! Reads an HTTP request with size limits.

use std::{
    io::{self, Read},
    mem,
};

/// The head of a request, before its body is read.
#[derive(Debug)]
pub(crate) struct HttpHead {
    /// `GET`, `POST`.
    pub method: String,
    /// The path with the query: `/a/b?c`.
    pub target: String,
    headers: Vec<(String, String)>,
    /// The part of the body that arrived with the head.
    begun: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum BadRequest {
    /// It is not HTTP, or an unsupported kind.
    #[error("not a request: {0}")]
    Malformed(&'static str),
    /// It is HTTP, but not 1.0 or 1.1.
    #[error("not a request: its version is unknown")]
    Version,
    #[error("the request is too large")]
    TooLarge,
    /// The connection ended or took too long.
    #[error("the connection failed: {0}")]
    Broken(#[from] io::Error),
}

const MAX_HEAD: usize = 16 << 10;
const MAX_HEADERS: usize = 64;

impl HttpHead {
    /// Reads the head, and possibly a part of the body.
    pub(crate) fn read(from: &mut impl Read) -> Result<HttpHead, BadRequest> {
        let mut bytes = Vec::new();
        loop {
            if let Some(head) = parse_head(&bytes)? {
                return Ok(head);
            }
            if bytes.len() >= MAX_HEAD {
                return Err(BadRequest::TooLarge);
            }
            let mut piece = [0; 4096];
            match from.read(&mut piece)? {
                0 => return Err(BadRequest::Malformed("it ends in its head")),
                got => bytes.extend_from_slice(&piece[..got]),
            }
        }
    }

    /// All values of a header.
    pub(crate) fn values(&self, name: &str) -> Vec<&str> {
        let own = self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        own.map(|(_, value)| value.as_str()).collect()
    }

    /// The length of the body; `None` if the request does not give it.
    pub(crate) fn body_length(&self) -> Result<Option<u64>, BadRequest> {
        if !self.values("transfer-encoding").is_empty() {
            return Err(BadRequest::Malformed("it comes in pieces"));
        }
        // A proxy could interpret two different lengths differently.
        match self.values("content-length").as_slice() {
            [] => Ok(None),
            [one] if one.bytes().all(|byte| byte.is_ascii_digit()) => {
                one.parse().map(Some).map_err(|_| BadRequest::Malformed("its length is no number"))
            }
            [_] => Err(BadRequest::Malformed("its length is no number")),
            _ => Err(BadRequest::Malformed("it has two lengths")),
        }
    }

    /// Whether the client waits for a go-ahead before it sends the body.
    pub(crate) fn expects_go_ahead(&self) -> bool {
        self.begun.is_empty()
            && self.values("expect").iter().any(|value| value.eq_ignore_ascii_case("100-continue"))
    }

    /// The part of the body that arrived with the head.
    pub(crate) fn take_begun(&mut self) -> Vec<u8> {
        mem::take(&mut self.begun)
    }
}

/// Reads a body until it has this length.
pub(crate) fn read_body(body: &mut Vec<u8>, from: &mut impl Read, length: u64) -> Result<(), BadRequest> {
    let missing = length.saturating_sub(body.len() as u64);
    let got = from.take(missing).read_to_end(body)? as u64;
    body.truncate(usize::try_from(length).unwrap_or(usize::MAX));
    if got < missing { Err(BadRequest::Malformed("it ends in its body")) } else { Ok(()) }
}

/// `None` if the head is incomplete.
fn parse_head(bytes: &[u8]) -> Result<Option<HttpHead>, BadRequest> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let end = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(end)) => end,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(BadRequest::TooLarge),
        Err(httparse::Error::Version) => return Err(BadRequest::Version),
        Err(_) => return Err(BadRequest::Malformed("its head is no HTTP")),
    };
    let header = |header: &httparse::Header| {
        (header.name.to_owned(), String::from_utf8_lossy(header.value).into_owned())
    };
    Ok(Some(HttpHead {
        method: parsed.method.unwrap_or_default().to_owned(),
        target: parsed.path.unwrap_or_default().to_owned(),
        headers: parsed.headers.iter().map(header).collect(),
        begun: bytes[end..].to_vec(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<u8>, BadRequest> {
        let from = &mut text.as_bytes();
        let mut head = HttpHead::read(from)?;
        let mut body = head.take_begun();
        read_body(&mut body, from, head.body_length()?.unwrap_or(0))?;
        Ok(body)
    }

    #[test]
    fn a_request_is_read_with_its_body() {
        let text = "POST /a/b?c HTTP/1.1\r\nHost: x:1\r\nContent-Length: 3\r\n\r\nabcd";
        let head = HttpHead::read(&mut text.as_bytes()).unwrap();
        assert_eq!((&*head.method, &*head.target, head.values("host")), ("POST", "/a/b?c", vec!["x:1"]));
        assert_eq!(read(text).unwrap(), b"abc");
    }

    #[test]
    fn malformed_requests_are_refused() {
        let long = format!("GET / HTTP/1.1\r\nA: {}", "a".repeat(20_000));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(100));
        let refusals = [
            ("", "ends in its head"),
            ("GET / HTTP/1.1\r\n", "ends in its head"),
            ("\x00\x01\r\n\r\n", "no HTTP"),
            (&long, "too large"),
            (&many, "too large"),
            ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "no number"),
            ("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc", "ends in its body"),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "two lengths"),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "in pieces"),
        ];
        for (text, part) in refusals {
            let refusal = read(text).unwrap_err().to_string();
            assert!(refusal.contains(part), "{refusal}");
        }
    }
}
