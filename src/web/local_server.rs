//! Answers clients that know the address with its token.

use super::{
    access::AccessRule,
    clients::{Client, ClientListener},
    deadline_stream::DeadlineStream,
    http_request::{BadRequest, HttpRequest},
};
use anyhow::{Context, Result};
use std::{
    io::{self, Write},
    net::{SocketAddr, TcpListener},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// An HTTP reply.
pub enum HttpReply {
    /// A text with this content type.
    Text(&'static str, String),
    /// There is no such page.
    NotFound,
    /// A stream of events until `None`. Each call waits a few seconds for the next event; an empty one only keeps
    /// the connection alive.
    Events(Box<dyn FnMut() -> Option<String> + Send>),
}

/// The content of a server.
pub trait WebSite: Send + Sync {
    /// Answers a request for a path after the token, without the leading slash.
    fn answer(self: Arc<Self>, path: &str, request: &HttpRequest) -> HttpReply;
}

/// A server that runs until it is dropped.
pub struct LocalServer {
    rule: AccessRule,
    open: Arc<AtomicUsize>,
    listener: Option<ClientListener>,
}

/// Maximum number of connections with a token; a browser opens several.
const MOST_CONNECTIONS: usize = 32;
/// Timeout for writing an answer to a client.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time for unfinished answers when the server ends.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

impl LocalServer {
    /// Listens on an address, in its own threads; port 0 means any free port.
    pub fn start(address: SocketAddr, site: Arc<dyn WebSite>) -> Result<LocalServer> {
        let listener = TcpListener::bind(address).with_context(|| format!("listen on {address}"))?;
        let rule = AccessRule::new(listener.local_addr().context("ask where we listen")?)?;
        let open = Arc::new(AtomicUsize::new(0));
        let own = (rule.clone(), open.clone());
        // A client that hangs up misses its answer, but does not affect others.
        let serve = move |client: Client| drop(serve_client(&client, &own.0, &own.1, site.clone()));
        let listener = Some(ClientListener::start(listener, serve)?);
        Ok(LocalServer { rule, open, listener })
    }

    /// The address with its token.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.rule.address, self.rule.token)
    }
}

impl Drop for LocalServer {
    fn drop(&mut self) {
        drop(self.listener.take());
        // The program may exit after this, so unfinished answers get some time.
        let end = Instant::now() + LAST_ANSWERS;
        while self.open.load(Ordering::SeqCst) > 0 && Instant::now() < end {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// One of the connections with a token; the count decreases on drop.
struct OpenConnection<'a>(&'a AtomicUsize);

impl OpenConnection<'_> {
    fn count(open: &AtomicUsize) -> Option<OpenConnection<'_>> {
        let place = OpenConnection(open);
        (open.fetch_add(1, Ordering::SeqCst) < MOST_CONNECTIONS).then_some(place)
    }
}

impl Drop for OpenConnection<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn serve_client(
    client: &Client,
    rule: &AccessRule,
    open: &AtomicUsize,
    site: Arc<dyn WebSite>,
) -> io::Result<()> {
    let stream = &mut &*client.stream;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = match HttpRequest::read(&mut DeadlineStream::new(&client.stream)) {
        Ok(request) => request,
        Err(BadRequest::Broken(error)) => return Err(error),
        Err(BadRequest::TooLarge) => {
            return write_text(stream, "413 Content Too Large", "text/plain", "too large\n");
        }
        Err(bad @ (BadRequest::Malformed(_) | BadRequest::Version)) => {
            return write_text(stream, "400 Bad Request", "text/plain", &format!("{bad}\n"));
        }
    };
    let Some(path) = rule.inner_path(&request) else { return write_not_found(stream) };
    client.keep_open();
    let Some(_place) = OpenConnection::count(open) else {
        return write_text(stream, "503 Service Unavailable", "text/plain", "too many connections\n");
    };
    match site.answer(path, &request) {
        HttpReply::Text(kind, text) => write_text(stream, "200 OK", kind, &text),
        HttpReply::NotFound => write_not_found(stream),
        HttpReply::Events(next) => write_events(stream, next),
    }
}

fn write_not_found(stream: &mut impl Write) -> io::Result<()> {
    write_text(stream, "404 Not Found", "text/plain", "nothing here\n")
}

fn write_text(stream: &mut impl Write, status: &str, kind: &str, text: &str) -> io::Result<()> {
    let (kind, length) = (format!("{kind}; charset=utf-8"), text.len().to_string());
    write_head(stream, status, &[("Content-Type", &kind), ("Content-Length", &length)])?;
    stream.write_all(text.as_bytes())
}

fn write_events(
    stream: &mut impl Write,
    mut next: Box<dyn FnMut() -> Option<String> + Send>,
) -> io::Result<()> {
    write_head(stream, "200 OK", &[("Content-Type", "text/event-stream")])?;
    while let Some(event) = next() {
        // An empty line ends an event, so a text is sent line by line.
        let lines: String = event.lines().map(|line| format!("data: {line}\n")).collect();
        stream.write_all(if event.is_empty() { ":\n\n".to_owned() } else { lines + "\n" }.as_bytes())?;
        stream.flush()?;
    }
    Ok(())
}

fn write_head(stream: &mut impl Write, status: &str, headers: &[(&str, &str)]) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {status}\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(
        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
         Referrer-Policy: no-referrer\r\nConnection: close\r\n\r\n",
    );
    stream.write_all(head.as_bytes())
}
