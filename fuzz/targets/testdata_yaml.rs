//! Arbitrary bytes as `data/secret/testdata.yaml`.
#![no_main]

use kopek_fuzz::Sample;
use libfuzzer_sys::fuzz_target;

thread_local! {
    static SAMPLE: Sample = Sample::new("legacy", "data/secret/testdata.yaml");
}

fuzz_target!(|bytes: &[u8]| SAMPLE.with(|sample| sample.read_with(bytes)));
