fn main() {
    let mut i = 0u64;
    while std::hint::black_box(i) < u64::MAX {
        i += 1;
    }
}
