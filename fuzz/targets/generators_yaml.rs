//! Arbitrary bytes as `generators/generators.yaml`.
#![no_main]

use kopek::generate::recipe::{Recipe, RecipeInputs};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| drop(Recipe::read(bytes, &RecipeInputs::default())));
