//! Many machines: real workers and a real server between them. A test binary of its own, which is only
//! built with the feature.

#[path = "../it/executors/contract.rs"]
mod contract;
mod equal;
mod server;
mod workers;
