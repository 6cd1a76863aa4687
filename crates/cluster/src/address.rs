//! The address of the server, and the credentials for it.

use anyhow::{Context, Result, bail, ensure};
use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

/// The address of a server.
#[derive(Debug, Clone)]
pub struct ClusterAddress {
    /// `nats://HOST[:PORT]`, or `tls://…`; never with a secret in it.
    pub url: String,
    /// The credentials, if the server wants any.
    pub secret: Option<Secret>,
    /// The authority that signed the server's certificate; with it the connection must be encrypted.
    pub ca: Option<PathBuf>,
}

/// A token, `NAME:PASSWORD`, or the seed of an nkey. Never shown.
#[derive(Clone)]
pub struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    /// Reads a secret from a text, without the white space around it.
    pub fn new(text: &str) -> Result<Secret> {
        let text = text.trim();
        ensure!(!text.is_empty(), "the token is empty");
        ensure!(!text.contains(char::is_whitespace), "the token has white space in it");
        Ok(Secret(text.to_owned()))
    }

    /// Reads a secret from a file.
    pub fn read(path: &Path) -> Result<Secret> {
        let text = fs::read_to_string(path).with_context(|| format!("read the token {}", path.display()))?;
        Secret::new(&text).with_context(|| format!("read the token {}", path.display()))
    }

    /// Whether it is the seed of a user's nkey: the server then receives a signature instead of the secret.
    pub(super) fn is_nkey_seed(&self) -> bool {
        let is_base32 = |byte: u8| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte);
        self.0.len() == 58 && self.0.starts_with("SU") && self.0.bytes().all(is_base32)
    }

    /// The name and password, if the secret has both.
    pub(super) fn name_and_password(&self) -> Option<(&str, &str)> {
        self.0.split_once(':')
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }
}

impl ClusterAddress {
    /// Parses an address from the command line. Refuses a secret in it: process lists and logs show addresses.
    pub fn parse(url: &str) -> Result<ClusterAddress> {
        let (scheme, rest) = url.split_once("://").unwrap_or(("nats", url));
        if !matches!(scheme, "nats" | "tls") {
            bail!("a cluster's address is nats://HOST or tls://HOST, not {scheme}://…");
        }
        if rest.contains('@') {
            bail!(
                "the address of a cluster must not hold its token: everybody sees it there; give it by --token-file \
                 or KOPEK_CLUSTER_TOKEN"
            );
        }
        let rest = rest.trim_end_matches('/');
        ensure!(
            !rest.is_empty() && !rest.contains(['/', ' ', ',']),
            "a cluster's address is nats://HOST[:PORT]"
        );
        Ok(ClusterAddress { url: format!("{scheme}://{rest}"), secret: None, ca: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_a_secret_is_refused_without_repeating_it() {
        for url in ["nats://verysecret@host:4222", "verysecret@host", "tls://verysecret:x@host"] {
            let error = format!("{:#}", ClusterAddress::parse(url).unwrap_err());
            assert!(error.contains("--token-file") && !error.contains("verysecret"), "{error}");
        }
        for url in ["", "nats://", "http://host", "nats://a b", "nats://a/b", "nats://a,b"] {
            assert!(ClusterAddress::parse(url).is_err(), "{url}");
        }
        assert_eq!(ClusterAddress::parse("host:4222").unwrap().url, "nats://host:4222");
        assert_eq!(ClusterAddress::parse("tls://host/").unwrap().url, "tls://host");
    }

    #[test]
    fn a_secret_is_never_shown() {
        let address = ClusterAddress {
            secret: Some(Secret::new(" xyzzy\n").unwrap()),
            ..ClusterAddress::parse("h").unwrap()
        };
        assert!(!format!("{address:?}").contains("xyzzy"));
        assert_eq!(address.secret.unwrap().text(), "xyzzy");
        assert!(Secret::new(" \n").is_err() && Secret::new("a b").is_err());
    }
}
