//! Listening, and a thread for each of a few connections.

use super::{
    access::AccessRule,
    deadline_stream::DeadlineStream,
    http_request::{BadRequest, HttpRequest},
};
use anyhow::{Context, Result};
use std::{
    io::{self, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// What is answered.
pub enum HttpReply {
    /// A page, or some other text of this kind.
    Text(&'static str, String),
    /// There is no such thing.
    NotFound,
    /// Events, until there are no more. Each call waits for the next one, some seconds at most; an
    /// empty one only shows that the connection lives.
    Events(Box<dyn FnMut() -> Option<String> + Send>),
}

/// What a server shows.
pub trait WebSite: Send + Sync {
    /// Answers a request for a path behind the token, without its first slash.
    fn answer(self: Arc<Self>, path: &str, request: &HttpRequest) -> HttpReply;
}

/// A server that runs until it is dropped.
pub struct LocalServer {
    rule: AccessRule,
    stop: Arc<AtomicBool>,
    open: Arc<AtomicUsize>,
    listening: Option<JoinHandle<()>>,
}

/// Browsers open several connections; more than this are refused.
const MOST_CONNECTIONS: usize = 32;
/// Who is slower than this is gone.
const PATIENCE: Duration = Duration::from_secs(10);
/// So long the answers that are being written may take when the server ends.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

impl LocalServer {
    /// Listens on an address, in threads of its own; port 0 is any free one.
    pub fn start(address: SocketAddr, site: Arc<dyn WebSite>) -> Result<LocalServer> {
        let listener = TcpListener::bind(address).with_context(|| format!("listen on {address}"))?;
        let rule = AccessRule::new(listener.local_addr().context("ask where we listen")?)?;
        let stop = Arc::new(AtomicBool::new(false));
        let open = Arc::new(AtomicUsize::new(0));
        let own = (rule.clone(), stop.clone(), open.clone());
        let listen = move || accept_connections(&listener, &own.0, &own.1, &own.2, &site);
        let listening =
            thread::Builder::new().name("web".into()).spawn(listen).context("start the server")?;
        Ok(LocalServer { rule, stop, open, listening: Some(listening) })
    }

    /// The address with its token.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.rule.address, self.rule.token)
    }
}

impl Drop for LocalServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        let reachable = match self.rule.address.ip() {
            ip if ip.is_unspecified() => SocketAddr::from(([127, 0, 0, 1], self.rule.address.port())),
            ip => SocketAddr::new(ip, self.rule.address.port()),
        };
        if TcpStream::connect_timeout(&reachable, PATIENCE).is_ok()
            && let Some(listening) = self.listening.take()
        {
            drop(listening.join());
        }
        // The program may end after this, and an answer must not be cut off in its middle.
        let end = Instant::now() + LAST_ANSWERS;
        while self.open.load(Ordering::SeqCst) > 0 && Instant::now() < end {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

fn accept_connections(
    listener: &TcpListener,
    rule: &AccessRule,
    stop: &AtomicBool,
    open: &Arc<AtomicUsize>,
    site: &Arc<dyn WebSite>,
) {
    for stream in listener.incoming() {
        if stop.load(Ordering::SeqCst) {
            return;
        }
        let Ok(mut stream) = stream else {
            // Out of files, for one: trying again at once would only burn a CPU.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        if open.load(Ordering::SeqCst) >= MOST_CONNECTIONS {
            drop(write_head(&mut stream, "503 Service Unavailable", &[("Content-Length", "0")]));
            continue;
        }
        open.fetch_add(1, Ordering::SeqCst);
        let place = OpenConnection(open.clone());
        let (rule, site) = (rule.clone(), site.clone());
        let serve = move || {
            let _place = place;
            // Whoever hangs up misses the answer; that is nobody else's trouble.
            drop(serve_connection(&mut stream, &rule, site));
        };
        drop(thread::Builder::new().name("web connection".into()).spawn(serve));
    }
}

/// Counts itself out.
struct OpenConnection(Arc<AtomicUsize>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn serve_connection(stream: &mut TcpStream, rule: &AccessRule, site: Arc<dyn WebSite>) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = match HttpRequest::read(&mut DeadlineStream::new(stream)) {
        Ok(request) => request,
        Err(BadRequest::Broken(error)) => return Err(error),
        Err(BadRequest::TooLarge) => {
            return write_text(stream, "413 Content Too Large", "text/plain", "too large\n");
        }
        Err(bad @ (BadRequest::Malformed(_) | BadRequest::Version)) => {
            return write_text(stream, "400 Bad Request", "text/plain", &format!("{bad}\n"));
        }
    };
    let reply = match rule.inner_path(&request) {
        Some(path) => site.answer(path, &request),
        None => HttpReply::NotFound,
    };
    match reply {
        HttpReply::Text(kind, text) => write_text(stream, "200 OK", kind, &text),
        HttpReply::NotFound => write_text(stream, "404 Not Found", "text/plain", "nothing here\n"),
        HttpReply::Events(next) => write_events(stream, next),
    }
}

fn write_text(stream: &mut TcpStream, status: &str, kind: &str, text: &str) -> io::Result<()> {
    let (kind, length) = (format!("{kind}; charset=utf-8"), text.len().to_string());
    write_head(stream, status, &[("Content-Type", &kind), ("Content-Length", &length)])?;
    stream.write_all(text.as_bytes())
}

fn write_events(
    stream: &mut TcpStream,
    mut next: Box<dyn FnMut() -> Option<String> + Send>,
) -> io::Result<()> {
    write_head(stream, "200 OK", &[("Content-Type", "text/event-stream")])?;
    while let Some(event) = next() {
        // An empty line ends an event: a text of several lines is sent line by line.
        let lines: String = event.lines().map(|line| format!("data: {line}\n")).collect();
        stream.write_all(if event.is_empty() { ":\n\n".to_owned() } else { lines + "\n" }.as_bytes())?;
        stream.flush()?;
    }
    Ok(())
}

fn write_head(stream: &mut TcpStream, status: &str, headers: &[(&str, &str)]) -> io::Result<()> {
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
