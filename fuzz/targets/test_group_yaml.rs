//! Arbitrary bytes as `data/secret/1/test_group.yaml`.
#![no_main]

use kopek_fuzz::Sample;
use libfuzzer_sys::fuzz_target;

thread_local! {
    static SAMPLE: Sample = Sample::new("scoring", "data/secret/1/test_group.yaml");
}

fuzz_target!(|bytes: &[u8]| SAMPLE.with(|sample| sample.read_with(bytes)));
