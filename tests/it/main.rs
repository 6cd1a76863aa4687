//! What users are promised, in chapters; one test binary.
#![allow(clippy::disallowed_methods, reason = "tests start programs and threads, and read their settings")]
#![allow(clippy::too_many_lines, reason = "tables of cases are long")]

mod action;
mod attacks;
mod checking;
mod child;
mod coins;
mod events;
mod executors;
mod fake_machine;
mod generate;
mod grading;
mod handing_in;
mod home;
mod importing;
mod languages;
mod leftovers;
mod long_runs;
mod manners;
mod meanings;
mod ordinary_user;
mod overview;
mod packages;
mod packing;
mod pages;
mod pictures;
mod problems;
mod reports;
mod rules;
mod sandbox;
mod scoring;
mod scratch;
mod serving;
mod similar;
mod skip;
mod starting;
mod store;
mod stressing;
mod surroundings;
mod talking;
mod toolchain_search;
mod typesetting;
mod verifying;
