//! Chapter: the coin games agree with brute force, with each other and with their sources.

mod agreement;
mod all_engines;
mod dice;
mod long_runs;
mod named_rows;
mod plays;
mod row_properties;
