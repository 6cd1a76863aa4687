// one row of the table at a time
use std::io::*;

fn main() {
    let mut s = String::new();
    stdin().read_to_string(&mut s).unwrap();
    let mut it = s.split_whitespace().map(|w| w.parse::<usize>().unwrap());
    let t = it.next().unwrap();
    for _ in 0..t {
        let n = it.next().unwrap();
        let m = it.next().unwrap();
        let k = it.next().unwrap();
        let coins: Vec<usize> = (0..n).map(|_| it.next().unwrap()).collect();
        let mut dp = vec![0usize; n + 1];
        for len in 1..=n {
            let my_turn = (n - len) % m == k;
            for i in 0..n + 1 - len {
                if my_turn {
                    dp[i] = (coins[i] + dp[i + 1]).max(coins[i + len - 1] + dp[i]);
                } else {
                    dp[i] = dp[i].min(dp[i + 1]);
                }
            }
        }
        println!("{}", dp[0]);
    }
}
