//! A connection with its own runtime. It reconnects by itself when the server is back.

use super::address::{ClusterAddress, Secret};
use anyhow::{Context, Result, anyhow, bail};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerError, jetstream};
use std::{
    future::Future,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::runtime::{Builder, Handle, Runtime};

/// A connection to a server.
pub struct Connection {
    /// The address, for messages.
    pub url: String,
    pub(super) client: Client,
    pub(super) jetstream: jetstream::Context,
    refusals: Arc<Refusals>,
    runtime: Option<Runtime>,
}

/// Statements of the server outside of its answers.
#[derive(Default)]
struct Refusals {
    /// The server refuses the credentials.
    unknown: AtomicBool,
    /// The account may not do this.
    denied: Mutex<Option<String>>,
}

impl Refusals {
    fn note(&self, event: &Event) {
        match event {
            Event::ServerError(ServerError::AuthorizationViolation) => {
                self.unknown.store(true, Ordering::Relaxed);
            }
            // Connected again, so the credentials are valid.
            Event::Connected => self.unknown.store(false, Ordering::Relaxed),
            Event::ServerError(ServerError::Other(what)) if what.contains("Permissions Violation") => {
                *self.denied.lock().unwrap_or_else(PoisonError::into_inner) = Some(what.clone());
            }
            _ => {}
        }
    }
}

/// Time limit of a request before it is repeated.
const REQUEST_TIME: Duration = Duration::from_secs(5);

/// Time limit of the first connection.
const CONNECT_TIME: Duration = Duration::from_secs(5);

impl Connection {
    /// Connects, or fails at once. The server's logs show `name`.
    pub fn open(address: &ClusterAddress, name: &str) -> Result<Connection> {
        // One thread keeps the connection alive between requests.
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.context("start the runtime of the connection")?;
        let refusals = Arc::new(Refusals::default());
        let options = connect_options(address, name, &refusals)?;
        let act = || format!("connect to the cluster at {}", address.url);
        let client = runtime
            .block_on(options.connect(&address.url))
            .map_err(|error| why_not(&error, address))
            .with_context(act)?;
        // The client spawns a task of its own.
        let entered = runtime.enter();
        let mut jetstream = jetstream::new(client.clone());
        drop(entered);
        jetstream.set_timeout(REQUEST_TIME);
        let connection =
            Connection { url: address.url.clone(), client, jetstream, refusals, runtime: Some(runtime) };
        Ok(connection)
    }

    /// Waits for a future of this connection. Must not be called from its own tasks.
    pub(super) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime().block_on(future)
    }

    pub(super) fn pause(&self, time: Duration) {
        self.wait(async { tokio::time::sleep(time).await });
    }

    pub(super) fn runtime(&self) -> &Handle {
        self.runtime.as_ref().expect("only the end of a connection takes its runtime").handle()
    }

    /// Opens a stream that exists.
    pub(super) async fn stream(&self, name: &str) -> Result<jetstream::stream::Stream> {
        let found = self.jetstream.get_stream(name).await;
        found.map_err(|error| anyhow!("open the stream {name}: {error}"))
    }

    /// Fails if the server has refused the credentials: retrying is useless.
    pub(super) fn check_known(&self) -> Result<()> {
        if self.refusals.unknown.load(Ordering::Relaxed) {
            bail!("the cluster at {} no longer takes the token", self.url);
        }
        Ok(())
    }

    /// The result, or the server's refusal: it does not answer requests that an account may not make, which looks like
    /// a timeout.
    pub(super) fn allowed<T>(&self, done: Result<T>) -> Result<T> {
        let denied = self.refusals.denied.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match (done, denied) {
            (Err(_), Some(what)) => {
                let why = "the account of this token may not do this: use the account that grades";
                Err(anyhow!(what)).context(why)
            }
            (done, _) => done,
        }
    }

    /// Sends pending messages, if the server can be reached.
    pub(super) async fn flush(&self) {
        // Best effort: everything that matters is acknowledged.
        let _ = tokio::time::timeout(Duration::from_secs(2), self.client.flush()).await;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // A request that the server never answers must not delay the end.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_millis(500));
        }
    }
}

fn connect_options(address: &ClusterAddress, name: &str, refusals: &Arc<Refusals>) -> Result<ConnectOptions> {
    let refusals = refusals.clone();
    let mut options = ConnectOptions::new()
        .name(name)
        .connection_timeout(CONNECT_TIME)
        .request_timeout(Some(REQUEST_TIME))
        .ping_interval(Duration::from_secs(10))
        .event_callback(move |event| {
            refusals.note(&event);
            async {}
        });
    options = match address.secret.as_ref() {
        None => options,
        Some(secret) if secret.is_nkey_seed() => options.nkey(secret.text().to_owned()),
        Some(secret) => match secret.name_and_password() {
            Some((name, password)) => options.user_and_password(name.to_owned(), password.to_owned()),
            None => options.token(secret.text().to_owned()),
        },
    };
    if let Some(ca) = &address.ca {
        // Read here for a better message: the client would only report a TLS error.
        std::fs::File::open(ca).with_context(|| format!("read the certificate {}", ca.display()))?;
        options = options.add_root_certificates(ca.clone()).require_tls(true);
    }
    Ok(options)
}

fn why_not(error: &async_nats::ConnectError, address: &ClusterAddress) -> anyhow::Error {
    let with_cause = |what: &str| match std::error::Error::source(error) {
        Some(cause) => anyhow!("{what}: {cause}"),
        None => anyhow!("{what}"),
    };
    match error.kind() {
        // The client failed before it asked the server.
        ConnectErrorKind::Authentication if address.secret.as_ref().is_some_and(Secret::is_nkey_seed) => {
            anyhow!("the seed of the nkey was damaged: its check sum is wrong")
        }
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => match address.secret {
            Some(_) => anyhow!("the server refuses the token"),
            None => anyhow!("the server wants a token: give it by --token-file or KOPEK_CLUSTER_TOKEN"),
        },
        ConnectErrorKind::ServerParse => anyhow!("this is no address: write nats://HOST[:PORT]"),
        ConnectErrorKind::Dns => with_cause("no such host"),
        ConnectErrorKind::TimedOut => anyhow!("nobody answers there"),
        ConnectErrorKind::Tls => match address.ca {
            Some(_) => {
                with_cause("the authority of --ca did not sign the server's certificate, or it has none")
            }
            None => with_cause(
                "no authority known here signed the server's certificate; name the one that did with --ca",
            ),
        },
        ConnectErrorKind::Io => with_cause("the server cannot be reached"),
        ConnectErrorKind::MaxReconnects => anyhow!("the server cannot be reached"),
    }
}
