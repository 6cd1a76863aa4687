//! Arbitrary bytes as `problem.yaml`.
#![no_main]

use kopek_fuzz::Sample;
use libfuzzer_sys::fuzz_target;

thread_local! {
    static SAMPLE: Sample = Sample::new("minimal", "problem.yaml");
}

fuzz_target!(|bytes: &[u8]| SAMPLE.with(|sample| sample.read_with(bytes)));
