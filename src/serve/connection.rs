//! Reads requests from connections within bounds, checks their keys, and writes the answers.

use super::{
    ClientRequest, HEALTH, ProtocolServer,
    reply::{ClientReply, RefusedRequest},
};
use crate::{
    base::{Bytes, Digest},
    web::{BadRequest, Client, DeadlineStream, HttpHead, serve_clients},
};
use anyhow::{Result, ensure};
use std::{
    collections::HashSet,
    io::{self, Write},
    net::TcpListener,
    sync::{Mutex, PoisonError, atomic::AtomicBool},
    time::{Duration, Instant},
};

/// Clients with incomplete requests; a new one closes the oldest.
const MAX_READING: usize = 512;
/// The largest body of a request, and all bodies of requests and answers at a time.
const MAX_BODY: Bytes = Bytes::mib(32);
const MAX_BODIES: Bytes = Bytes::mib(512);
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

/// The bytes of the bodies that are in memory.
#[derive(Default)]
struct BodyBytes(Mutex<u64>);

/// Part of them; given back on drop.
struct ReservedBytes<'b> {
    all: &'b BodyBytes,
    own: u64,
}

impl BodyBytes {
    fn reserve(&self, own: u64) -> Result<ReservedBytes<'_>, RefusedRequest> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if *all + own > MAX_BODIES.0 {
            return Err(RefusedRequest::new(503, "too many requests at a time; send it again later"));
        }
        *all += own;
        Ok(ReservedBytes { all: self, own })
    }
}

impl Drop for ReservedBytes<'_> {
    fn drop(&mut self) {
        *self.all.0.lock().unwrap_or_else(PoisonError::into_inner) -= self.own;
    }
}

/// A server's door.
struct Door<'s, 'a> {
    server: &'s ProtocolServer<'a>,
    keys: Option<&'s ApiKeys>,
    bodies: BodyBytes,
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
    let door = Door { server, keys, bodies: BodyBytes::default(), log };
    serve_clients(listener, MAX_READING, stop, || server.close(), |client| door.serve_client(&client))
}

impl Door<'_, '_> {
    fn serve_client(&self, client: &Client) {
        let start = Instant::now();
        let mut stream = DeadlineStream::within(&client.stream, PATIENCE);
        let head = match HttpHead::read(&mut stream) {
            Ok(head) => head,
            Err(error) => {
                return (self.log)(&self.reply(client, "?", Some(refusal_of(&error).into()), start));
            }
        };
        let (method, target) = (head.method.clone(), head.target.clone());
        let reply = match self.read_request(head, &mut stream) {
            Ok(RequestBody { bytes, reserved: _reserved }) => {
                client.keep();
                let request = ClientRequest { method: &method, path: &target, body: &bytes };
                self.server.answer(&request, &|| client.is_waiting())
            }
            Err(refusal) => Some(refusal.into()),
        };
        // Monitors ask every few seconds.
        let is_usual = target == HEALTH && reply.as_ref().is_some_and(|reply| reply.status == 200);
        let line = self.reply(client, &log_name(&method, &target), reply, start);
        if !is_usual {
            (self.log)(&line);
        }
    }

    fn read_request(
        &self,
        head: HttpHead,
        stream: &mut DeadlineStream,
    ) -> Result<RequestBody<'_>, RefusedRequest> {
        if let Some(keys) = self.keys.filter(|_| head.target != HEALTH) {
            keys.check(&head)?;
        }
        let length = match head.body_length().map_err(|error| refusal_of(&error))? {
            Some(length) => length,
            None if matches!(head.method.as_str(), "GET" | "HEAD") => 0,
            None => return Err(RefusedRequest::new(411, "a body needs its length")),
        };
        if length > MAX_BODY.0 {
            return Err(RefusedRequest::new(413, format!("the body is larger than {MAX_BODY}")));
        }
        let reserved = self.bodies.reserve(length)?;
        if head.expects_go_ahead() {
            let went = stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
            went.map_err(|error| refusal_of(&BadRequest::Broken(error)))?;
        }
        let bytes = head.read_body(stream, length).map_err(|error| refusal_of(&error))?;
        Ok(RequestBody { bytes, reserved })
    }

    /// Sends a reply, and returns a line for the log.
    fn reply(&self, client: &Client, what: &str, reply: Option<ClientReply>, start: Instant) -> String {
        let took = start.elapsed().as_secs_f64();
        let from =
            client.stream.peer_addr().map_or_else(|_| "?".to_owned(), |address| address.ip().to_string());
        let Some(reply) = reply else {
            return format!("{from} {what} went away after {took:.3} s");
        };
        let mut bytes = reply.to_http();
        // Clients that do not read must not fill the memory.
        let _reserved =
            self.bodies.reserve(bytes.len() as u64).map_err(|full| bytes = ClientReply::from(full).to_http());
        // A client that is gone or does not read needs no answer.
        let mut stream = DeadlineStream::within(&client.stream, PATIENCE);
        let sent = if stream.write_all(&bytes).is_ok() { "" } else { ", not read" };
        let note = if reply.note.is_empty() { String::new() } else { format!(" {}", reply.note) };
        format!("{from} {what} {}{note} {took:.3} s{sent}", reply.status)
    }
}

/// A whole body, and its share of the memory for bodies.
struct RequestBody<'b> {
    bytes: Vec<u8>,
    reserved: ReservedBytes<'b>,
}

fn refusal_of(error: &BadRequest) -> RefusedRequest {
    let status = match error {
        BadRequest::Broken(error)
            if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
        {
            408
        }
        BadRequest::TooLarge => 413,
        BadRequest::Malformed(_) | BadRequest::Version | BadRequest::Broken(_) => 400,
    };
    RefusedRequest::new(status, error.to_string())
}

/// The method and the resource, without what a client could write into the log.
fn log_name(method: &str, target: &str) -> String {
    let known = ["GET", "HEAD", "POST", "PUT"].iter().find(|known| **known == method);
    let resource = ["languages", "runs", "files", "healthz"].into_iter().find(|name| target.contains(name));
    format!("{} {}", known.unwrap_or(&"?"), resource.unwrap_or("?"))
}
