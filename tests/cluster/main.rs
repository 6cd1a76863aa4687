//! Many machines: real workers and a real server between them. A test binary of its own, which is only
//! built with the feature.
#![allow(clippy::disallowed_methods, reason = "tests start programs and threads, and read their settings")]

mod accounts;
mod child;
#[path = "../it/executors/contract.rs"]
mod contract;
mod control;
mod course;
mod crew;
mod equal;
#[path = "../it/events.rs"]
#[expect(dead_code, reason = "some events only happen in the other binary")]
mod events;
mod failures;
mod figures;
mod mishaps;
mod noise;
mod room;
mod security;
mod server;
#[path = "../it/toolchain_search.rs"]
mod toolchain_search;
mod workers;
