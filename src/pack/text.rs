//! What could not be expressed, for people.

use super::{Bundle, Target, Weight};
use crate::{base::Bytes, verify::wrapped};
use std::path::Path;

/// Renders it: what was written, then what changes results, what others decide, the rest.
pub fn text(bundle: &Bundle, target: Target, path: &Path, size: Bytes, width: usize) -> String {
    let mut lines =
        vec![format!("{}: {} files for {}, {size}", path.display(), bundle.files.len(), target.name())];
    for (weight, title) in [
        (Weight::Results, "judged otherwise than here:".to_owned()),
        (Weight::Theirs, format!("left to {}:", target.name())),
        (Weight::Looks, "left out or changed, with the same results:".to_owned()),
    ] {
        let notes: Vec<_> = bundle.notes.iter().filter(|note| note.weight == weight).collect();
        if !notes.is_empty() {
            lines.push(format!("  {title}"));
        }
        for note in notes {
            let item = format!("{}: {} → {}", note.place, note.what, note.instead);
            lines.extend(wrapped("  - ", &item, width.max(40)));
        }
    }
    lines.join("\n") + "\n"
}
