//! A small HTTP server for browsers and tools on this machine, independent of contests.
//!
//! It answers one request per connection, and limits the number, size and time of connections. It
//! answers only clients that know its random token: a page of another site can neither guess the
//! token nor point its own domain to this server.

mod access;
mod clients;
mod deadline_stream;
mod http_request;
mod local_server;

pub(crate) use clients::{Client, ClientListener};
pub(crate) use deadline_stream::DeadlineStream;
pub use http_request::HttpRequest;
pub(crate) use http_request::{BadRequest, HttpHead};
pub use local_server::{HttpReply, LocalServer, WebSite};
