//! One HTTP request, read with limits: a post with a body, or a reason why not.

use std::{
    io::{self, BufRead, BufReader, Read},
    time::Duration,
};

/// How long a client may take for a request.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// More than the headers of any browser.
const LONGEST_HEAD: u64 = 16 << 10;
/// More than the samples of any problem.
const LONGEST_BODY: u64 = 16 << 20;

/// Why a request is refused: the status line, and what is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// `405 Method Not Allowed`.
    pub(crate) status: &'static str,
    /// For people.
    pub(crate) why: String,
}

fn refuse<T>(status: &'static str, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { status, why: why.into() })
}

/// The body of a post that comes from this machine and from no web page.
pub(crate) fn read_post(stream: impl Read, port: u16) -> Result<Vec<u8>, Refusal> {
    let mut reader = BufReader::new(stream);
    let head = read_head(&mut reader)?;
    let mut lines = head.lines();
    let request: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let [method, _path, version] = request[..] else {
        return refuse("400 Bad Request", "not an HTTP request");
    };
    if !version.starts_with("HTTP/1.") {
        return refuse("505 HTTP Version Not Supported", "only HTTP/1.1 is spoken here");
    }
    if method != "POST" {
        return refuse("405 Method Not Allowed", "only problems are taken, by POST");
    }
    let header = |name: &str| {
        let mut all = head.lines().skip(1).filter_map(|line| line.split_once(':'));
        all.find(|(known, _)| known.trim().eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim().to_owned())
    };
    check_sender(header("Host"), header("Origin"), port)?;
    if header("Transfer-Encoding").is_some() {
        return refuse("411 Length Required", "a body needs its length");
    }
    let length = header("Content-Length").and_then(|text| text.parse::<u64>().ok());
    let Some(length) = length else { return refuse("411 Length Required", "a body needs its length") };
    if length > LONGEST_BODY {
        return refuse("413 Content Too Large", "more than 16 MiB");
    }
    let mut body = Vec::new();
    match reader.take(length).read_to_end(&mut body) {
        Ok(read) if read as u64 == length => Ok(body),
        Ok(_) => refuse("400 Bad Request", "the body is shorter than it should be"),
        Err(error) => Err(broken(&error)),
    }
}

fn read_head(reader: &mut impl BufRead) -> Result<String, Refusal> {
    let (mut head, mut limited) = (Vec::new(), reader.take(LONGEST_HEAD));
    loop {
        match limited.read_until(b'\n', &mut head) {
            Ok(0) if limited.limit() == 0 => {
                return refuse("431 Request Header Fields Too Large", "more than 16 KiB of headers");
            }
            Ok(0) => return refuse("400 Bad Request", "the request ends in its headers"),
            Ok(_) if head.ends_with(b"\r\n\r\n") || head.ends_with(b"\n\n") => break,
            Ok(_) => {}
            Err(error) => return Err(broken(&error)),
        }
    }
    String::from_utf8(head).or_else(|_| refuse("400 Bad Request", "headers that are no text"))
}

fn broken(error: &io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            Refusal { status: "408 Request Timeout", why: "the request took too long".into() }
        }
        _ => Refusal { status: "400 Bad Request", why: format!("the request broke off: {error}") },
    }
}

/// A web page can make a browser post here, and a name of its own can lead here: neither may bring files.
fn check_sender(host: Option<String>, origin: Option<String>, port: u16) -> Result<(), Refusal> {
    let own = ["localhost", "127.0.0.1", "[::1]"].map(|name| [name.to_owned(), format!("{name}:{port}")]);
    if !host.is_some_and(|host| own.iter().flatten().any(|known| known.eq_ignore_ascii_case(&host))) {
        return refuse("403 Forbidden", "not addressed to this machine");
    }
    let of_page = |origin: &String| !origin.contains("-extension://") && origin != "null";
    match origin.filter(of_page) {
        Some(origin) => refuse("403 Forbidden", format!("sent by a web page ({origin})")),
        None => Ok(()),
    }
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
        assert_eq!(post(&format!("{head}\r\nOrigin: chrome-extension://abc"), "{}"), Ok(b"{}".to_vec()));
        for (head, body, status) in [
            ("GET / HTTP/1.1\r\nHost: localhost", "", "405"),
            ("POST / HTTP/1.1\r\nHost: localhost", "", "411"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked", "0\r\n\r\n", "411"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999", "", "413"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1", "", "411"),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9", "{}", "400"),
            ("POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2", "{}", "403"),
            ("POST / HTTP/1.1\r\nContent-Length: 2", "{}", "403"),
            (
                "POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nContent-Length: 2",
                "{}",
                "403",
            ),
            ("POST / HTTP/2\r\nHost: localhost", "", "505"),
            ("nonsense", "", "400"),
        ] {
            assert_eq!(post(head, body), Err(status), "{head}");
        }
        let long = format!("POST / HTTP/1.1\r\nX: {}", "x".repeat(20_000));
        assert_eq!(post(&long, ""), Err("431"));
    }
}
