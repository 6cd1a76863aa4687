//! Listens on a port, and serves a limited number of clients in one thread each.

use anyhow::{Context, Result};
use std::{
    collections::VecDeque,
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// Maximum number of parallel clients. A new one closes the oldest, so that silent clients do not block
/// others.
const MAX_CLIENTS: usize = 32;
/// Timeout for connecting to our own port to wake the listener.
const PATIENCE: Duration = Duration::from_secs(10);

/// Listens until it is dropped.
pub(crate) struct ClientListener {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    listening: Option<JoinHandle<()>>,
}

/// A connection that is closed on drop, or when newer clients need its place.
pub(crate) struct Client {
    pub stream: Arc<TcpStream>,
    places: Arc<ClientPlaces>,
}

/// The clients that may be closed, the oldest first.
#[derive(Default)]
struct ClientPlaces(Mutex<VecDeque<Arc<TcpStream>>>);

impl ClientListener {
    /// Serves each client of a port in its own thread.
    pub(crate) fn start(
        listener: TcpListener,
        serve: impl Fn(Client) + Send + Sync + 'static,
    ) -> Result<ClientListener> {
        let address = listener.local_addr().context("ask for the port")?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopping = stop.clone();
        let serve = Arc::new(serve);
        let listen = move || accept_clients(&listener, &stopping, &serve);
        let listening =
            thread::Builder::new().name("web".into()).spawn(listen).context("start the server")?;
        Ok(ClientListener { address, stop, listening: Some(listening) })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for ClientListener {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for clients.
        let reachable = match self.address.ip() {
            ip if ip.is_unspecified() => SocketAddr::from(([127, 0, 0, 1], self.address.port())),
            ip => SocketAddr::new(ip, self.address.port()),
        };
        if TcpStream::connect_timeout(&reachable, PATIENCE).is_ok()
            && let Some(listening) = self.listening.take()
        {
            drop(listening.join());
        }
    }
}

fn accept_clients(
    listener: &TcpListener,
    stop: &AtomicBool,
    serve: &Arc<impl Fn(Client) + Send + Sync + 'static>,
) {
    let places = Arc::new(ClientPlaces::default());
    for stream in listener.incoming() {
        if stop.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else {
            // For example too many open files; an immediate retry would waste CPU time.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        let stream = Arc::new(stream);
        places.add(stream.clone());
        let client = Client { stream, places: places.clone() };
        let serve = serve.clone();
        drop(thread::Builder::new().name("web client".into()).spawn(move || serve(client)));
    }
}

impl ClientPlaces {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<TcpStream>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, stream: Arc<TcpStream>) {
        let mut places = self.lock();
        if places.len() >= MAX_CLIENTS
            && let Some(oldest) = places.pop_front()
        {
            // Its thread then reads the end of the connection and exits.
            drop(oldest.shutdown(Shutdown::Both));
        }
        places.push_back(stream);
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.places.lock().retain(|place| !Arc::ptr_eq(place, &self.stream));
    }
}
