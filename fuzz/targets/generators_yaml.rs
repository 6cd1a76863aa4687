//! Arbitrary bytes as `generators/generators.yaml`.
#![no_main]

use kopek::generate::recipe::{Given, Recipe};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| drop(Recipe::read(bytes, &Given::default())));
