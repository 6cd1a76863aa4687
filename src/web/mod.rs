//! Listens for HTTP requests.
//!
//! It answers one request per connection, and limits the number, size and time of connections.

mod clients;
mod deadline_stream;
mod get_json;
mod http_request;
mod sender;

pub(crate) use clients::{Client, serve_clients};
pub(crate) use deadline_stream::DeadlineStream;
pub(crate) use get_json::get_json;
pub(crate) use http_request::{BadRequest, HttpHead, read_body};
pub(crate) use sender::foreign_sender;
