//! Access control by secret addresses.

use super::http_request::HttpRequest;
use anyhow::{Context, Result};
use rustix::rand::{GetRandomFlags, getrandom};
use std::net::SocketAddr;

/// The token and the address that a request must name.
#[derive(Debug, Clone)]
pub(super) struct AccessRule {
    /// The first part of every path.
    pub token: String,
    /// Where the server listens.
    pub address: SocketAddr,
}

impl AccessRule {
    /// Creates a rule with a random token.
    pub fn new(address: SocketAddr) -> Result<AccessRule> {
        let mut bytes = [0_u8; 16];
        let got = getrandom(&mut bytes, GetRandomFlags::empty()).context("get random bytes")?;
        anyhow::ensure!(got == bytes.len(), "get random bytes: only {got} came");
        Ok(AccessRule { token: bytes.iter().map(|byte| format!("{byte:02x}")).collect(), address })
    }

    /// The path after the token; `None` if the request is not allowed.
    pub fn inner_path<'r>(&self, request: &'r HttpRequest) -> Option<&'r str> {
        if !self.names_us(request.host.as_deref()?) {
            return None;
        }
        let (token, path) = request.path.strip_prefix('/')?.split_once('/')?;
        same_text(token, &self.token).then_some(path)
    }

    /// Whether the host is this server. Another site can point its domain to this address, and its pages could then
    /// read the answers.
    fn names_us(&self, host: &str) -> bool {
        let port = self.address.port();
        let (name, asked) = host.rsplit_once(':').unwrap_or((host, "80"));
        let by_number = name.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok();
        // Any IP address, because a server that listens on all addresses cannot know its own.
        asked == port.to_string() && (by_number || name == "localhost")
    }
}

/// Compares without revealing by timing how many characters match.
fn same_text(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_knows_the_address_is_answered() {
        let rule = AccessRule { token: "abc".into(), address: "127.0.0.1:8000".parse().unwrap() };
        let inner = |path: &str, host: &str| {
            let request = HttpRequest {
                method: "GET".into(),
                path: path.into(),
                host: (!host.is_empty()).then(|| host.into()),
                body: vec![],
            };
            rule.inner_path(&request).map(str::to_owned)
        };
        assert_eq!(inner("/abc/", "127.0.0.1:8000").as_deref(), Some(""));
        assert_eq!(inner("/abc/events", "localhost:8000").as_deref(), Some("events"));
        let refused = [
            ("/abd/", "127.0.0.1:8000"),
            ("/ab/", "127.0.0.1:8000"),
            ("/", "127.0.0.1:8000"),
            ("/abc", "127.0.0.1:8000"),
            ("/abc/", "evil.example:8000"),
            ("/abc/", "127.0.0.1:8001"),
            ("/abc/", ""),
        ];
        for (path, host) in refused {
            assert_eq!(inner(path, host), None, "{path} {host}");
        }
    }

    #[test]
    fn no_two_tokens_are_equal() {
        let token = || AccessRule::new("127.0.0.1:1".parse().unwrap()).unwrap().token;
        let (one, other) = (token(), token());
        assert!(one.len() == 32 && one != other);
    }
}
