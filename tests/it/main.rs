//! What users are promised, in chapters; one test binary.

mod attacks;
mod checking;
mod child;
mod coins;
mod executors;
mod generate;
mod grading;
mod importing;
mod languages;
mod leftovers;
mod meanings;
mod ordinary_user;
mod packages;
mod packing;
mod problems;
mod reports;
mod sandbox;
mod scoring;
mod scratch;
mod skip;
mod starting;
mod store;
mod talking;
mod tidy;
mod tour;
mod verifying;
