//! Tells clients on this machine from web pages. A page can make a browser send requests here, or point its own domain
//! to this address.

use super::HttpHead;
use std::net::SocketAddr;

/// Why a request to a server at this address is not one of a program on this machine; `None` if it is.
pub(crate) fn foreign_sender(head: &HttpHead, address: SocketAddr) -> Option<String> {
    let port = address.port();
    let own = ["localhost", "127.0.0.1", "[::1]"].map(|name| [name.to_owned(), format!("{name}:{port}")]);
    let own = own.into_iter().flatten().chain([address.to_string()]);
    let is_own = |host: &str| own.clone().any(|known| known.eq_ignore_ascii_case(host));
    if !matches!(head.values("host").as_slice(), [host] if is_own(host)) {
        return Some("not addressed to this machine".to_owned());
    }
    if let Some(origin) = head.values("origin").first() {
        return Some(format!("sent by a web page ({})", origin.escape_debug()));
    }
    let is_of_page =
        |site: &&str| ["cross-site", "same-site"].iter().any(|known| known.eq_ignore_ascii_case(site.trim()));
    let site = head.values("sec-fetch-site").into_iter().find(is_of_page)?;
    Some(format!("sent by a web page ({site})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_foreign(headers: &str) -> bool {
        let text = format!("POST / HTTP/1.1\r\n{headers}\r\n\r\n");
        let head = HttpHead::read(&mut text.as_bytes()).unwrap();
        foreign_sender(&head, ([127, 0, 0, 2], 4000).into()).is_some()
    }

    #[test]
    fn programs_are_distinguished_from_web_pages() {
        for host in ["localhost:4000", "LOCALHOST", "127.0.0.1", "[::1]:4000", "127.0.0.2:4000"] {
            assert!(!is_foreign(&format!("Host: {host}")), "{host}");
        }
        assert!(!is_foreign("Host: localhost\r\nSec-Fetch-Site: none"));
        for headers in
            ["X: y", "Host: evil.example", "Host: localhost:1", "Host: localhost\r\nHost: localhost"]
        {
            assert!(is_foreign(headers), "{headers}");
        }
        for of_page in [
            "Origin: null",
            "Origin: https://evil.example",
            "Origin: http://localhost:4000",
            "Origin: moz-extension://abc",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site",
            "Sec-Fetch-Site: CROSS-SITE",
        ] {
            assert!(is_foreign(&format!("Host: localhost\r\n{of_page}")), "{of_page}");
        }
    }
}
