//! Listens on a port, and serves a limited number of clients in one thread each.
//!
//! A new client closes the oldest of those whose request is not complete, so that silent clients do not block others.
#![expect(clippy::disallowed_methods, reason = "a browser may be slow, and judging must not wait for it")]

use anyhow::{Context, Result};
use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
    net::{RecvFlags, recv},
    time::Timespec,
};
use std::{
    collections::VecDeque,
    io::ErrorKind,
    net::{Shutdown, TcpListener, TcpStream},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// How soon a server notices that it shall stop.
const MOMENT: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// A connection that is closed on drop, or when newer clients need its place.
pub(crate) struct Client {
    pub stream: Arc<TcpStream>,
    places: Arc<ClientPlaces>,
}

/// The clients that may be closed, the oldest first.
struct ClientPlaces {
    /// More than this close the oldest.
    max: usize,
    streams: Mutex<VecDeque<Arc<TcpStream>>>,
}

/// Serves clients in a thread each until `stop`, at most `max` of them before their requests are complete, and does
/// something `beside` that, which must end soon after `stop`. Then calls `on_stop`, closes those whose requests are not complete, and waits for the others.
pub(crate) fn serve_clients(
    listener: &TcpListener,
    max: usize,
    stop: &AtomicBool,
    beside: impl FnOnce() + Send,
    on_stop: impl FnOnce(),
    serve: impl Fn(Client) + Sync,
) -> Result<()> {
    listener.set_nonblocking(true).context("listen for clients")?;
    let places = Arc::new(ClientPlaces { max, streams: Mutex::default() });
    let serve = &serve;
    thread::scope(|scope| {
        // Clients are served even if it has a bug.
        let beside = || drop(catch_unwind(AssertUnwindSafe(beside)));
        drop(thread::Builder::new().name("beside clients".into()).spawn_scoped(scope, beside));
        while !stop.load(Ordering::SeqCst) {
            // A signal ends the wait.
            let _ = poll(&mut [PollFd::new(listener, PollFlags::IN)], Some(&MOMENT));
            while let Some(client) = next_client(listener, &places) {
                let serve_one = move || {
                    // Otherwise a bug in one request would end the server.
                    let _ = catch_unwind(AssertUnwindSafe(|| serve(client)));
                };
                drop(thread::Builder::new().name("web client".into()).spawn_scoped(scope, serve_one));
            }
        }
        on_stop();
        for stream in places.lock().iter() {
            drop(stream.shutdown(Shutdown::Both));
        }
    });
    Ok(())
}

/// The next client; `None` if there is none now.
fn next_client(listener: &TcpListener, places: &Arc<ClientPlaces>) -> Option<Client> {
    let stream = match listener.accept() {
        Ok((stream, _)) => stream,
        Err(error) => {
            if error.kind() != ErrorKind::WouldBlock {
                // For example too many open files; an immediate retry would waste CPU time.
                thread::sleep(Duration::from_millis(50));
            }
            return None;
        }
    };
    let stream = Arc::new(stream);
    places.add(stream.clone());
    Some(Client { stream, places: places.clone() })
}

impl ClientPlaces {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<TcpStream>>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, stream: Arc<TcpStream>) {
        let mut places = self.lock();
        if places.len() >= self.max
            && let Some(oldest) = places.pop_front()
        {
            // Its thread then reads the end of the connection and exits.
            drop(oldest.shutdown(Shutdown::Both));
        }
        places.push_back(stream);
    }
}

impl Client {
    /// Whether it still waits for an answer. One that closed its end does not, even if it could still read.
    pub(crate) fn is_waiting(&self) -> bool {
        let mut one = [0];
        match recv(&*self.stream, &mut one, RecvFlags::PEEK | RecvFlags::DONTWAIT) {
            Ok((_, 0)) => false,
            // More bytes than the request has; they do not matter.
            Ok(_) | Err(Errno::AGAIN | Errno::INTR) => true,
            Err(_) => false,
        }
    }

    /// Keeps it until it is answered, because its request is complete.
    pub(crate) fn keep(&self) {
        self.places.lock().retain(|place| !Arc::ptr_eq(place, &self.stream));
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.keep();
    }
}
