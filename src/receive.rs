//! Problems that a browser extension posts, one HTTP request each, to this machine alone.
//!
//! Reads requests with limits and writes packages below one directory. Listens to nobody itself: the
//! caller hands in what connected.

mod companion;
mod http_post;

pub use companion::{PostedBatch, PostedProblem};

use crate::web::DeadlineStream;
use anyhow::Result;
use http_post::{Refusal, read_post};
use std::{
    io::Write,
    net::TcpStream,
    path::{Path, PathBuf},
    time::Duration,
};

/// A problem that was posted and written.
#[derive(Debug)]
pub struct ReceivedProblem {
    /// Where it lies.
    pub dir: PathBuf,
    /// Its name, for people.
    pub title: String,
    /// What it came with.
    pub batch: Option<PostedBatch>,
}

/// Answers one client; the error says why nothing was written.
pub fn receive(
    stream: &TcpStream,
    below: &Path,
    template: Option<&(String, Vec<u8>)>,
) -> Result<ReceivedProblem> {
    let result = take_problem(stream, below, template);
    let (status, text) = match &result {
        Ok(received) => ("200 OK", received.title.clone()),
        Err(refusal) => (refusal.status, refusal.why.clone()),
    };
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    );
    // Who has gone away, or does not read, needs no answer.
    let _ = stream.set_write_timeout(Some(Duration::from_secs(1)));
    let _ = (&mut &*stream).write_all(answer.as_bytes());
    result.map_err(|refusal| anyhow::anyhow!("{}: {}", refusal.status, refusal.why))
}

fn take_problem(
    stream: &TcpStream,
    below: &Path,
    template: Option<&(String, Vec<u8>)>,
) -> Result<ReceivedProblem, Refusal> {
    let port = stream.local_addr().map_or(0, |address| address.port());
    let body = read_post(DeadlineStream::new(stream), port)?;
    let refuse = |status| move |error: anyhow::Error| Refusal { status, why: format!("{error:#}") };
    let posted = PostedProblem::parse(&body).map_err(refuse("422 Unprocessable Content"))?;
    let dir = posted.write_package(below, template).map_err(refuse("500 Internal Server Error"))?;
    Ok(ReceivedProblem { dir, title: posted.title(), batch: posted.batch })
}
