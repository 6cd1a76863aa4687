//! `--anonymous`: numbers instead of names, and the teacher's private key.

use std::path::{Path, PathBuf};

/// Whether names are shown.
#[derive(clap::Args)]
pub(super) struct AnonymousOption {
    /// Replace names with numbers, listed in KEY [default: HANDINS.key.csv]
    #[arg(long, value_name = "KEY", num_args = 0..=1, require_equals = true,
        conflicts_with_all = ["gradebook", "similar"])]
    anonymous: Option<Option<PathBuf>>,
}

impl AnonymousOption {
    pub(super) fn hides_names(&self) -> bool {
        self.anonymous.is_some()
    }

    /// The place of the key, if names are hidden; the inner `None` is the default.
    pub(super) fn key(&self) -> Option<Option<&Path>> {
        self.anonymous.as_ref().map(Option::as_deref)
    }
}
