//! Reads requests from connections within bounds, checks who sends them, and writes the answers.

use super::{
    ClientRequest, ProtocolServer, Route,
    reply::{ClientReply, RefusedRequest},
    run_places::NoPlace,
};
use crate::{
    base::{Bytes, Digest},
    web::{BadRequest, Client, DeadlineStream, HttpHead, foreign_sender, read_body, serve_clients},
};
use anyhow::{Context, Result, ensure};
use std::{
    collections::{HashSet, VecDeque},
    io::{self, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    time::{Duration, Instant},
};

/// Clients with incomplete requests; a new one closes the oldest.
const MAX_READING: usize = 512;
/// The largest body of a request.
const MAX_BODY: Bytes = Bytes::mib(32);
/// The part of a body that is read before the request has a place in memory. Most bodies are smaller.
const SMALL_BODY: Bytes = Bytes::kib(64);
/// The time to send a request, and to read the answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// The same with a place in memory for which others wait.
const PATIENCE_OF_OTHERS: Duration = Duration::from_secs(1);

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

/// Clients that send a large body or read their answer, the oldest first. They have places in memory.
#[derive(Default)]
struct Transfers(Mutex<VecDeque<Transfer>>);

struct Transfer {
    since: Instant,
    stream: Arc<TcpStream>,
}

impl Transfers {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Transfer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with a stream that others may close.
    fn transfer<R>(&self, client: &Client, act: impl FnOnce(&mut DeadlineStream) -> R) -> R {
        self.lock().push_back(Transfer { since: Instant::now(), stream: client.stream.clone() });
        let done = act(&mut DeadlineStream::within(&client.stream, PATIENCE));
        self.lock().retain(|other| !Arc::ptr_eq(&other.stream, &client.stream));
        done
    }

    /// Closes the oldest client, if it was too slow for others that wait.
    fn close_slow(&self) {
        let mut all = self.lock();
        if let Some(oldest) = all.pop_front_if(|oldest| oldest.since.elapsed() > PATIENCE_OF_OTHERS) {
            // Its thread then notices the end of the connection, and gives back the place.
            drop(oldest.stream.shutdown(Shutdown::Both));
        }
    }
}

/// A server's door.
struct Door<'s, 'a> {
    server: &'s ProtocolServer<'a>,
    address: SocketAddr,
    keys: Option<&'s ApiKeys>,
    transfers: Transfers,
    log: &'s (dyn Fn(&str) + Sync),
}

/// A request whose body may be incomplete.
struct BegunRequest {
    method: String,
    route: Route,
    length: u64,
    body: Vec<u8>,
}

impl BegunRequest {
    fn is_whole(&self) -> bool {
        self.body.len() as u64 == self.length
    }

    fn is_run(&self) -> bool {
        self.method == "POST" && self.route == Route::Runs
    }
}

/// Serves until `stop`, and opens the banks of the packages meanwhile. Then finishes runs that have a place, and answers
/// "overload" to others. Logs a line for each request, except for its health.
pub fn serve(
    listener: &TcpListener,
    server: &ProtocolServer,
    keys: Option<&ApiKeys>,
    stop: &AtomicBool,
    log: &(dyn Fn(&str) + Sync),
) -> Result<()> {
    let address = listener.local_addr().context("ask for the port")?;
    let door = Door { server, address, keys, transfers: Transfers::default(), log };
    let open_banks = || server.open_banks(stop, log);
    serve_clients(
        listener,
        MAX_READING,
        stop,
        open_banks,
        || server.close(),
        |client| door.serve_client(&client),
    )
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
        let route = Route::parse(&head.target);
        let name = log_name(&head.method, &route);
        let request = match self.begin_request(head, route, &mut stream) {
            Ok(request) => request,
            Err(refusal) => return (self.log)(&self.reply(client, &name, Some(refusal.into()), start)),
        };
        if request.is_whole() {
            client.keep();
        }
        if request.length == 0 {
            // Monitors ask every few seconds.
            let is_health = request.route == Route::Health;
            let reply = self.answer(client, request);
            let is_usual = is_health && reply.as_ref().is_some_and(|reply| reply.status == 200);
            let line = self.reply(client, &name, reply, start);
            return if !is_usual {
                (self.log)(&line)
            };
        }
        let is_run = request.is_run();
        let is_wanted = || {
            self.transfers.close_slow();
            client.is_waiting()
        };
        let served = self.server.requests.with_place(&is_wanted, |()| {
            let reply = self.read_and_answer(client, request);
            self.reply(client, &name, reply, start)
        });
        let line = served.unwrap_or_else(|no_place| {
            let reply = match no_place {
                NoPlace::Unwanted => None,
                NoPlace::Overload if is_run => Some(self.server.overload()),
                NoPlace::Overload => {
                    Some(RefusedRequest::new(503, "too many requests wait; send it again later").into())
                }
            };
            self.reply(client, &name, reply, start)
        });
        (self.log)(&line);
    }

    /// Reads the first part of the body of a request whose sender may send it.
    fn begin_request(
        &self,
        mut head: HttpHead,
        route: Route,
        stream: &mut DeadlineStream,
    ) -> Result<BegunRequest, RefusedRequest> {
        self.check_sender(&head, &route)?;
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
            let went = stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
            went.map_err(|error| refusal_of(&BadRequest::Broken(error)))?;
        }
        let mut body = head.take_begun();
        read_body(&mut body, stream, length.min(SMALL_BODY.0)).map_err(|error| refusal_of(&error))?;
        Ok(BegunRequest { method: head.method, route, length, body })
    }

    /// Reads the rest of the body, and answers. `None`: the client has gone.
    fn read_and_answer(&self, client: &Client, mut request: BegunRequest) -> Option<ClientReply> {
        if !request.is_whole() {
            let read = self
                .transfers
                .transfer(client, |stream| read_body(&mut request.body, stream, request.length));
            if let Err(error) = read {
                return Some(refusal_of(&error).into());
            }
            client.keep();
        }
        self.answer(client, request)
    }

    fn answer(&self, client: &Client, request: BegunRequest) -> Option<ClientReply> {
        let BegunRequest { method, route, body, .. } = request;
        let request = ClientRequest { method: &method, route: &route, body };
        self.server.answer(request, &|| client.is_waiting())
    }

    /// Web pages know no key. Without keys, they must not reach the server from a browser on this machine.
    fn check_sender(&self, head: &HttpHead, route: &Route) -> Result<(), RefusedRequest> {
        match self.keys {
            Some(_) if *route == Route::Health => Ok(()),
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
        let status = reply.status;
        let bytes = reply.into_http();
        // A client that is gone or does not read needs no answer.
        let sent = self.transfers.transfer(client, |stream| stream.write_all(&bytes));
        let sent = if sent.is_ok() { "" } else { ", not read" };
        format!("{from} {what} {status}{note} {took:.3} s{sent}")
    }
}

fn refusal_of(error: &BadRequest) -> RefusedRequest {
    let status = match error {
        BadRequest::Broken(error) => match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => 408,
            _ => 400,
        },
        BadRequest::TooLarge => 413,
        BadRequest::Malformed(_) | BadRequest::Version => 400,
    };
    RefusedRequest::new(status, error.to_string())
}

/// The method and the resource, without what a client could write into the log.
fn log_name(method: &str, route: &Route) -> String {
    let known = ["GET", "HEAD", "POST", "PUT"].iter().find(|known| **known == method);
    let resource = match route {
        Route::Health => "healthz",
        Route::Languages => "languages",
        Route::Runs => "runs",
        Route::File(_) => "files",
        Route::Unknown => "?",
    };
    format!("{} {resource}", known.unwrap_or(&"?"))
}
