//! Asks another server.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::{
    io::{Read, Write},
    net::{TcpStream, ToSocketAddrs},
    time::Duration,
};

const PATIENCE: Duration = Duration::from_secs(5);
/// More than a list of languages needs.
const MAX_ANSWER: u64 = 1 << 20;

/// The answer of a server, `HOST:PORT`, to a request without a key.
pub(crate) fn get_json(server: &str, path: &str) -> Result<Value> {
    let address = server.to_socket_addrs().context("find it")?.next().context("it has no address")?;
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).context("connect")?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(MAX_ANSWER).read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").context("it does not speak HTTP")?;
    ensure!(head.starts_with("HTTP/1.1 200"), "{}: {body}", head.lines().next().unwrap_or_default());
    serde_json::from_str(body).context("its answer is not JSON")
}
