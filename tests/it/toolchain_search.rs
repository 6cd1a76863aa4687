//! Where tests look for toolchains: where the user who runs them would, whatever toolchain runs them.

use kopek::toolchains::Search;
use std::{env, path::PathBuf};

pub fn search() -> Search {
    Search {
        path: env::var_os("PATH").unwrap(),
        home: env::var_os("HOME").map(PathBuf::from),
        rustup_toolchain: None,
        rustup_home: env::var_os("RUSTUP_HOME").map(PathBuf::from),
    }
}
