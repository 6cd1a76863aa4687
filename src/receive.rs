//! Receives problems from a browser extension on this machine, one HTTP request each.
//!
//! Reads requests in parallel, with limits, and writes packages below a directory one by one, each atomically.

mod companion;
mod http_post;

pub use companion::{PostedBatch, PostedProblem};

use crate::{
    base::wording::counted,
    web::{Client, ClientListener, DeadlineStream},
};
use anyhow::{Context, Result};
use http_post::{Refusal, read_post};
use std::{
    io::Write,
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, channel},
    },
    time::Duration,
};

/// A problem that was received and written.
#[derive(Debug)]
pub struct ReceivedProblem {
    pub dir: PathBuf,
    /// Its name, for people.
    pub title: String,
    /// Its contest, if any.
    pub batch: Option<PostedBatch>,
}

/// Receives problems until it is dropped.
pub struct ProblemReceiver {
    listener: ClientListener,
    /// One result per client; an error is the reason why nothing was written.
    pub results: Receiver<Result<ReceivedProblem>>,
}

/// More problems than a few contests have, so that endless posts do not fill the disk.
const MAX_PROBLEMS: usize = 500;

/// Files that each new problem starts with, by their paths in it.
pub type TemplateFiles = Vec<(String, Vec<u8>)>;

/// The target of received problems; writes one at a time.
struct Inbox {
    below: PathBuf,
    template: TemplateFiles,
    written: Mutex<usize>,
}

impl ProblemReceiver {
    /// Listens on a port; 0 means any free port. Writes packages below an existing directory.
    pub fn start(port: u16, below: PathBuf, template: TemplateFiles) -> Result<ProblemReceiver> {
        // Loopback only, because any client of this port can write files here.
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).with_context(|| {
            format!(
                "listen on port {port}: another program may use it, such as CPH or competitest.nvim in an editor; end \
                 it, or listen with --port 10045 and enter 10045 as a custom port in the browser extension"
            )
        })?;
        let (sender, results) = channel();
        let inbox = Inbox { below, template, written: Mutex::default() };
        let serve = move |client: Client| drop(sender.send(inbox.serve_client(&client.stream)));
        Ok(ProblemReceiver { listener: ClientListener::start(listener, serve)?, results })
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.listener.address().port()
    }
}

impl Inbox {
    fn serve_client(&self, stream: &TcpStream) -> Result<ReceivedProblem> {
        let result = self.take_problem(stream);
        let (status, text) = match &result {
            Ok(received) => ("200 OK", received.title.clone()),
            Err(refusal) => (refusal.status, refusal.why.clone()),
        };
        let answer = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
            text.len()
        );
        // A client that is gone or does not read needs no answer.
        let _ = stream.set_write_timeout(Some(Duration::from_secs(1)));
        let _ = (&mut &*stream).write_all(answer.as_bytes());
        result.map_err(|refusal| anyhow::anyhow!("{}: {}", refusal.status, refusal.why))
    }

    fn take_problem(&self, stream: &TcpStream) -> Result<ReceivedProblem, Refusal> {
        let address = stream.local_addr();
        let address = address
            .map_err(|error| Refusal { status: "500 Internal Server Error", why: error.to_string() })?;
        let body = read_post(DeadlineStream::new(stream), address)?;
        self.write_problem(&body)
    }

    fn write_problem(&self, body: &[u8]) -> Result<ReceivedProblem, Refusal> {
        let refuse = |status| move |error: anyhow::Error| Refusal { status, why: format!("{error:#}") };
        let posted = PostedProblem::parse(body).map_err(refuse("422 Unprocessable Content"))?;
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if *written >= MAX_PROBLEMS {
            let max = counted(MAX_PROBLEMS, "problem");
            let why = format!("{max} were received: start `kopek receive` again for more");
            return Err(Refusal { status: "429 Too Many Requests", why });
        }
        let dir =
            posted.write_package(&self.below, &self.template).map_err(refuse("500 Internal Server Error"))?;
        *written += 1;
        Ok(ReceivedProblem { dir, title: posted.title(), batch: posted.batch })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_beyond_the_bound_are_refused_and_not_written() {
        let home = tempfile::tempdir().unwrap();
        let below = home.path().to_owned();
        let inbox = Inbox { below, template: Vec::new(), written: Mutex::new(MAX_PROBLEMS - 1) };
        let write = |name: &str| {
            let body = companion::example_post(name).to_string();
            inbox.write_problem(body.as_bytes()).map(drop).map_err(|refusal| refusal.why)
        };
        write("last").unwrap();
        assert!(write("more").unwrap_err().contains("500 problems were received"));
        assert!(home.path().join("last").is_dir() && !home.path().join("more").exists());
    }
}
