//! One request, read within bounds.

use std::io::{self, Read};

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// `GET`, `POST`.
    pub method: String,
    /// From the first slash, as it was sent, without what follows a `?`.
    pub path: String,
    /// Whom the asker believes to ask.
    pub host: Option<String>,
    /// What was sent along.
    pub body: Vec<u8>,
}

/// Why there is no request to answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum BadRequest {
    /// It is no HTTP, or of a kind that nobody here needs.
    #[error("not a request: {0}")]
    Malformed(&'static str),
    /// It is too large.
    #[error("the request is too large")]
    TooLarge,
    /// The connection ended or took too long.
    #[error("the connection failed: {0}")]
    Broken(#[from] io::Error),
}

const MOST_HEAD: usize = 16 << 10;
const MOST_BODY: usize = 4 << 20;
const MOST_HEADERS: usize = 64;

impl HttpRequest {
    /// Reads one.
    pub(super) fn read(from: &mut impl Read) -> Result<HttpRequest, BadRequest> {
        let mut bytes = Vec::new();
        loop {
            if let Some((mut request, head, length)) = parse_head(&bytes)? {
                request.body = bytes.split_off(head);
                read_body(from, &mut request.body, length)?;
                return Ok(request);
            }
            if bytes.len() >= MOST_HEAD {
                return Err(BadRequest::TooLarge);
            }
            let mut piece = [0; 4096];
            match from.read(&mut piece)? {
                0 => return Err(BadRequest::Malformed("it ends in its head")),
                got => bytes.extend_from_slice(&piece[..got]),
            }
        }
    }
}

/// The request without its body, where the body begins, and how long it is; `None`: there is more to come.
fn parse_head(bytes: &[u8]) -> Result<Option<(HttpRequest, usize, usize)>, BadRequest> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let head = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(head)) => head,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(BadRequest::TooLarge),
        Err(_) => return Err(BadRequest::Malformed("its head is no HTTP")),
    };
    let values = |name: &str| -> Vec<&[u8]> {
        let own = parsed.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        own.map(|header| header.value).collect()
    };
    // Two lengths, or another way to say it, could be read differently by whoever passed it on.
    let length = match values("content-length").as_slice() {
        [] => 0,
        [one] => parse_length(one)?,
        _ => return Err(BadRequest::Malformed("it has two lengths")),
    };
    if !values("transfer-encoding").is_empty() {
        return Err(BadRequest::Malformed("it comes in pieces"));
    }
    let host = match values("host").as_slice() {
        [one] => std::str::from_utf8(one).ok().map(str::to_owned),
        _ => None,
    };
    let path = parsed.path.unwrap_or_default().split('?').next().unwrap_or_default().to_owned();
    let method = parsed.method.unwrap_or_default().to_owned();
    Ok(Some((HttpRequest { method, path, host, body: Vec::new() }, head, length)))
}

fn parse_length(value: &[u8]) -> Result<usize, BadRequest> {
    let text = std::str::from_utf8(value).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let length =
        text.and_then(|text| text.parse().ok()).ok_or(BadRequest::Malformed("its length is no number"))?;
    if length > MOST_BODY { Err(BadRequest::TooLarge) } else { Ok(length) }
}

fn read_body(from: &mut impl Read, body: &mut Vec<u8>, length: usize) -> Result<(), BadRequest> {
    let missing = length.saturating_sub(body.len());
    let got = from.take(missing as u64).read_to_end(body)?;
    body.truncate(length);
    if got < missing { Err(BadRequest::Malformed("it ends in its body")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<HttpRequest, String> {
        HttpRequest::read(&mut text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_request_is_read_with_its_body() {
        let request = read("POST /a/b?c HTTP/1.1\r\nHost: x:1\r\nContent-Length: 3\r\n\r\nabcd").unwrap();
        let expected = HttpRequest {
            method: "POST".into(),
            path: "/a/b".into(),
            host: Some("x:1".into()),
            body: b"abc".into(),
        };
        assert_eq!(request, expected);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let long = format!("GET / HTTP/1.1\r\nA: {}", "a".repeat(20_000));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(100));
        let refusals = [
            ("", "ends in its head"),
            ("GET / HTTP/1.1\r\n", "ends in its head"),
            ("\x00\x01\r\n\r\n", "no HTTP"),
            (&long, "too large"),
            (&many, "too large"),
            ("POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", "too large"),
            ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "no number"),
            ("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc", "ends in its body"),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "two lengths"),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "in pieces"),
        ];
        for (text, part) in refusals {
            let refusal = read(text).unwrap_err();
            assert!(refusal.contains(part), "{refusal}");
        }
    }
}
