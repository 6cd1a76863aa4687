//! Reads requests from connections within bounds, checks who sends them, and writes the answers.

use super::{
    ClientRequest, HEALTH, ProtocolServer,
    reply::{ClientReply, RefusedRequest},
};
use crate::{
    base::{Bytes, Digest},
    web::{BadRequest, Client, DeadlineStream, HttpHead, foreign_sender, serve_clients},
};
use anyhow::{Context, Result, ensure};
use std::{
    collections::HashSet,
    io::{self, Read, Write},
    net::{SocketAddr, TcpListener},
    sync::{Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    time::{Duration, Instant},
};

/// Clients with incomplete requests; a new one closes the oldest.
const MAX_READING: usize = 512;
/// The largest body of a request, and all requests and answers that are in memory at a time.
const MAX_BODY: Bytes = Bytes::mib(32);
const MAX_HELD: Bytes = Bytes::mib(512);
/// The time to send a request, and to read the answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The keys that clients need; by their digests, so that a comparison takes equally long for all.
pub struct ApiKeys(HashSet<Digest>);

impl ApiKeys {
    /// Reads a file with a key per line; `#` begins a comment.
    pub fn parse(text: &str) -> Result<ApiKeys> {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let keys: HashSet<Digest> =
            lines.filter(|line| !line.is_empty()).map(|key| Digest::of(key.as_bytes())).collect();
        ensure!(!keys.is_empty(), "it has no key; write one per line");
        Ok(ApiKeys(keys))
    }

    fn check(&self, head: &HttpHead) -> Result<(), RefusedRequest> {
        match head.values("x-api-key").as_slice() {
            [key] if self.0.contains(&Digest::of(key.trim().as_bytes())) => Ok(()),
            [] => Err(RefusedRequest::new(403, "the header X-API-KEY is missing; this server demands a key")),
            _ => Err(RefusedRequest::new(403, "the key in X-API-KEY is not one of this server's")),
        }
    }
}

/// The bytes of requests and answers that are in memory.
#[derive(Default)]
struct HeldBytes(Mutex<u64>);

/// Part of them; given back on drop.
struct ReservedBytes<'b> {
    all: &'b HeldBytes,
    own: u64,
}

impl HeldBytes {
    fn lock(&self) -> MutexGuard<'_, u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReservedBytes<'_> {
    fn add(&mut self, more: u64) -> io::Result<()> {
        let mut all = self.all.lock();
        if *all + more > MAX_HELD.0 {
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        *all += more;
        self.own += more;
        Ok(())
    }
}

impl Drop for ReservedBytes<'_> {
    fn drop(&mut self) {
        *self.all.lock() -= self.own;
    }
}

/// Reads a connection. Reserves the bytes that arrived, because many clients announce more than they send.
struct CountedStream<'c, 'b> {
    stream: DeadlineStream<'c>,
    reserved: ReservedBytes<'b>,
}

impl Read for CountedStream<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.stream.read(buffer)?;
        self.reserved.add(got as u64)?;
        Ok(got)
    }
}

/// A server's door.
struct Door<'s, 'a> {
    server: &'s ProtocolServer<'a>,
    address: SocketAddr,
    keys: Option<&'s ApiKeys>,
    held: HeldBytes,
    log: &'s (dyn Fn(&str) + Sync),
}

/// Serves until `stop`. Then finishes runs that have a place, and answers "overload" to others. Logs a line for each
/// request, except for its health.
pub fn serve(
    listener: &TcpListener,
    server: &ProtocolServer,
    keys: Option<&ApiKeys>,
    stop: &AtomicBool,
    log: &(dyn Fn(&str) + Sync),
) -> Result<()> {
    let address = listener.local_addr().context("ask for the port")?;
    let door = Door { server, address, keys, held: HeldBytes::default(), log };
    serve_clients(listener, MAX_READING, stop, || server.close(), |client| door.serve_client(&client))
}

impl Door<'_, '_> {
    fn serve_client(&self, client: &Client) {
        let start = Instant::now();
        let stream = DeadlineStream::within(&client.stream, PATIENCE);
        let mut stream = CountedStream { stream, reserved: self.reserve() };
        let head = match HttpHead::read(&mut stream) {
            Ok(head) => head,
            Err(error) => {
                return (self.log)(&self.reply(client, "?", Some(refusal_of(&error).into()), start));
            }
        };
        let (method, target) = (head.method.clone(), head.target.clone());
        let reply = match self.read_request(head, &mut stream) {
            Ok(body) => {
                client.keep();
                let request = ClientRequest { method: &method, path: &target, body };
                self.server.answer(request, &|| client.is_waiting())
            }
            Err(refusal) => Some(refusal.into()),
        };
        drop(stream);
        // Monitors ask every few seconds.
        let is_usual = target == HEALTH && reply.as_ref().is_some_and(|reply| reply.status == 200);
        let line = self.reply(client, &log_name(&method, &target), reply, start);
        if !is_usual {
            (self.log)(&line);
        }
    }

    fn reserve(&self) -> ReservedBytes<'_> {
        ReservedBytes { all: &self.held, own: 0 }
    }

    /// Reads the body of a request whose sender may send it.
    fn read_request(&self, head: HttpHead, stream: &mut CountedStream) -> Result<Vec<u8>, RefusedRequest> {
        self.check_sender(&head)?;
        let length = match head.body_length().map_err(|error| refusal_of(&error))? {
            Some(length) => length,
            None if matches!(head.method.as_str(), "POST" | "PUT") => {
                return Err(RefusedRequest::new(411, "a body needs its length"));
            }
            None => 0,
        };
        if length > MAX_BODY.0 {
            return Err(RefusedRequest::new(413, format!("the body is larger than {MAX_BODY}")));
        }
        if head.expects_go_ahead() {
            let went = stream.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
            went.map_err(|error| refusal_of(&BadRequest::Broken(error)))?;
        }
        head.read_body(stream, length).map_err(|error| refusal_of(&error))
    }

    /// Web pages know no key. Without keys, they must not reach the server from a browser on this machine.
    fn check_sender(&self, head: &HttpHead) -> Result<(), RefusedRequest> {
        match self.keys {
            Some(_) if head.target == HEALTH => Ok(()),
            Some(keys) => keys.check(head),
            None => match foreign_sender(head, self.address) {
                Some(why) => {
                    Err(RefusedRequest::new(403, format!("{why}; a server without --keys refuses that")))
                }
                None => Ok(()),
            },
        }
    }

    /// Sends a reply, and returns a line for the log.
    fn reply(&self, client: &Client, what: &str, reply: Option<ClientReply>, start: Instant) -> String {
        let took = start.elapsed().as_secs_f64();
        let from =
            client.stream.peer_addr().map_or_else(|_| "?".to_owned(), |address| address.ip().to_string());
        let Some(reply) = reply else {
            return format!("{from} {what} went away after {took:.3} s");
        };
        let note = if reply.note.is_empty() { String::new() } else { format!(" {}", reply.note) };
        let mut status = reply.status;
        let mut bytes = reply.into_http();
        // Clients that do not read must not fill the memory.
        let mut reserved = self.reserve();
        if reserved.add(bytes.len() as u64).is_err() {
            status = FULL.0;
            bytes = ClientReply::from(RefusedRequest::new(FULL.0, FULL.1)).into_http();
        }
        // A client that is gone or does not read needs no answer.
        let mut stream = DeadlineStream::within(&client.stream, PATIENCE);
        let sent = if stream.write_all(&bytes).is_ok() { "" } else { ", not read" };
        format!("{from} {what} {status}{note} {took:.3} s{sent}")
    }
}

/// The refusal when memory for requests and answers is used up.
const FULL: (u16, &str) = (503, "too many requests at a time; send it again later");

fn refusal_of(error: &BadRequest) -> RefusedRequest {
    let status = match error {
        BadRequest::Broken(error) => match error.kind() {
            io::ErrorKind::QuotaExceeded => return RefusedRequest::new(FULL.0, FULL.1),
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => 408,
            _ => 400,
        },
        BadRequest::TooLarge => 413,
        BadRequest::Malformed(_) | BadRequest::Version => 400,
    };
    RefusedRequest::new(status, error.to_string())
}

/// The method and the resource, without what a client could write into the log.
fn log_name(method: &str, target: &str) -> String {
    let known = ["GET", "HEAD", "POST", "PUT"].iter().find(|known| **known == method);
    let resource = ["languages", "runs", "files", "healthz"].into_iter().find(|name| target.contains(name));
    format!("{} {}", known.unwrap_or(&"?"), resource.unwrap_or("?"))
}
