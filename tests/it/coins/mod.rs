//! Chapter: the coin games agree with brute force, with each other and with their sources.

mod agreement;
mod command;
mod dice;
mod engines;
mod long;
mod named;
mod plays;
mod properties;
