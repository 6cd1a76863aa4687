//! The report of a pack.

use crate::Document;
use kopek_exchange::pack::{NoteEffect, PackedZip};

/// The zip, then losses that change results, those the target decides, the rest.
pub fn pack_document(packed: &PackedZip) -> Document<'static> {
    let PackedZip { file, files, system, bytes, notes, .. } = packed;
    let mut document = Document::default();
    document.line(&format!("{}: {files} files for {system}, {bytes}", file.display()));
    for (weight, title) in [
        (NoteEffect::Results, "judged otherwise than here:".to_owned()),
        (NoteEffect::Theirs, format!("left to {system}:")),
        (NoteEffect::Looks, "left out or changed, with the same results:".to_owned()),
    ] {
        let mut notes = notes.iter().filter(|note| note.weight == weight).peekable();
        if notes.peek().is_some() {
            document.line(&format!("  {title}"));
        }
        for note in notes {
            document.item("  - ", &format!("{}: {} → {}", note.place, note.what, note.instead));
        }
    }
    document
}
