//! Chapter: the coin games agree with brute force and with each other.

mod agreement;
mod dice;
mod layers;
mod long_runs;
mod named_rows;
mod plays;
mod row_properties;
