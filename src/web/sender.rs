//! Tells clients on this machine from web pages. A page can make a browser send requests here, or point its own domain
//! to this address.

use super::HttpHead;
use std::net::SocketAddr;

/// URL schemes of browser extensions.
const EXTENSION_SCHEMES: [&str; 3] = ["chrome-extension", "moz-extension", "safari-web-extension"];

/// Why a request to a server at this address is not one of a program on this machine; `None` if it is.
pub(crate) fn foreign_sender(head: &HttpHead, address: SocketAddr) -> Option<String> {
    let port = address.port();
    let own = ["localhost", "127.0.0.1", "[::1]"].map(|name| [name.to_owned(), format!("{name}:{port}")]);
    let own = own.into_iter().flatten().chain([address.to_string()]);
    let is_own = |host: &str| own.clone().any(|known| known.eq_ignore_ascii_case(host));
    if !matches!(head.values("host").as_slice(), [host] if is_own(host)) {
        return Some("not addressed to this machine".to_owned());
    }
    if let Some(origin) = head.values("origin").into_iter().find(|origin| !is_extension(origin)) {
        return Some(format!("sent by a web page ({})", origin.escape_debug()));
    }
    let is_of_page = |site: &&str| ["cross-site", "same-site"].contains(site);
    let site = head.values("sec-fetch-site").into_iter().find(is_of_page)?;
    Some(format!("sent by a web page, or by an extension without a permission for this address ({site})"))
}

/// Whether the origin is an extension. `null` is not: it is a web page in a sandboxed frame.
fn is_extension(origin: &str) -> bool {
    origin.split_once("://").is_some_and(|(scheme, _)| EXTENSION_SCHEMES.contains(&scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_foreign(headers: &str) -> bool {
        let text = format!("POST / HTTP/1.1\r\n{headers}\r\n\r\n");
        let head = HttpHead::read(&mut text.as_bytes()).unwrap();
        foreign_sender(&head, ([127, 0, 0, 2], 27121).into()).is_some()
    }

    #[test]
    fn programs_and_extensions_are_distinguished_from_web_pages() {
        for host in ["localhost:27121", "LOCALHOST", "127.0.0.1", "[::1]:27121", "127.0.0.2:27121"] {
            assert!(!is_foreign(&format!("Host: {host}")), "{host}");
        }
        for scheme in EXTENSION_SCHEMES {
            let sent = format!("Host: localhost\r\nOrigin: {scheme}://abc\r\nSec-Fetch-Site: none");
            assert!(!is_foreign(&sent), "{scheme}");
        }
        for headers in
            ["X: y", "Host: evil.example", "Host: localhost:1", "Host: localhost\r\nHost: localhost"]
        {
            assert!(is_foreign(headers), "{headers}");
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
            "Sec-Fetch-Site: same-site",
            "Origin: chrome-extension://abc\r\nSec-Fetch-Site: cross-site",
        ] {
            assert!(is_foreign(&format!("Host: localhost\r\n{of_page}")), "{of_page}");
        }
    }
}
