//! A small HTTP server for browsers and tools on this machine. Knows no contests.
//!
//! It answers one request per connection, keeps a bounded number of connections with bounded sizes
//! and times, and answers only who knows the address that it made up: a page of another site can
//! neither guess the token nor, by a name that leads here, pass for this one.

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
