// The hull in two halves, from left to right and back.
use std::io::Read;

type Point = (i64, i64);

fn turn(a: Point, b: Point, c: Point) -> i64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

fn half(points: impl Iterator<Item = Point>) -> f64 {
    let mut hull: Vec<Point> = Vec::new();
    for point in points {
        while hull.len() >= 2 && turn(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0 {
            hull.pop();
        }
        hull.push(point);
    }
    hull.windows(2).map(|pair| ((pair[0].0 - pair[1].0) as f64).hypot((pair[0].1 - pair[1].1) as f64)).sum()
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let numbers: Vec<i64> = text.split_ascii_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
    let mut points: Vec<Point> = numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    points.sort();
    points.dedup();
    println!("{:.9}", half(points.iter().copied()) + half(points.iter().rev().copied()));
}
