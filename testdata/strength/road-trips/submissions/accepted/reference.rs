// Dijkstra's algorithm with a heap; trips are counted where a town is settled.
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<u64>().unwrap());
    let mut next = || numbers.next().unwrap();
    let (n, m) = (next() as usize, next());
    let mut roads = vec![Vec::new(); n + 1];
    for _ in 0..m {
        let (a, b, length) = (next() as usize, next() as usize, next());
        roads[a].push((b, length));
        if a != b {
            roads[b].push((a, length));
        }
    }
    let (mut far, mut ways) = (vec![u64::MAX; n + 1], vec![0u64; n + 1]);
    (far[1], ways[1]) = (0, 1);
    let mut heap = BinaryHeap::from([Reverse((0, 1))]);
    let mut done = vec![false; n + 1];
    while let Some(Reverse((at, town))) = heap.pop() {
        if std::mem::replace(&mut done[town], true) {
            continue;
        }
        for &(other, length) in &roads[town] {
            if at + length < far[other] {
                (far[other], ways[other]) = (at + length, ways[town]);
                heap.push(Reverse((at + length, other)));
            } else if at + length == far[other] {
                ways[other] = (ways[other] + ways[town]) % 1_000_000_007;
            }
        }
    }
    match far[n] {
        u64::MAX => println!("-1"),
        length => println!("{length} {}", ways[n]),
    }
}
