//! What users are promised, in chapters; one test binary.

mod attacks;
mod checking;
mod coins;
mod executors;
mod generate;
mod grading;
mod importing;
mod languages;
mod packages;
mod packing;
mod problems;
mod reports;
mod sandbox;
mod scoring;
mod starting;
mod store;
mod talking;
mod tidy;
mod tour;
mod verifying;
