//! The report of a pack.

use kopek_base::{Bytes, wording::wrap_behind};
use kopek_exchange::pack::{Bundle, NoteEffect};
use std::path::Path;

/// Renders it: the zip, then losses that change results, those the target decides, the rest.
pub fn render_bundle(bundle: &Bundle, system: &str, path: &Path, size: Bytes, width: usize) -> String {
    let mut lines = vec![format!("{}: {} files for {}, {size}", path.display(), bundle.files.len(), system)];
    for (weight, title) in [
        (NoteEffect::Results, "judged otherwise than here:".to_owned()),
        (NoteEffect::Theirs, format!("left to {system}:")),
        (NoteEffect::Looks, "left out or changed, with the same results:".to_owned()),
    ] {
        let notes: Vec<_> = bundle.notes.iter().filter(|note| note.weight == weight).collect();
        if !notes.is_empty() {
            lines.push(format!("  {title}"));
        }
        for note in notes {
            let item = format!("{}: {} → {}", note.place, note.what, note.instead);
            lines.extend(wrap_behind("  - ", &item, width.max(40)));
        }
    }
    lines.join("\n") + "\n"
}
