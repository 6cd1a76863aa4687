//! The report of a pack.

use crate::Document;
use kopek_base::wording::counted;
use kopek_exchange::pack::{NoteEffect, PackedQuestions, PackedZip, Target};
use kopek_package::package::shell_words::quote_word;

/// The zip, then losses that change results, those the target decides, the rest.
pub fn pack_document(packed: &PackedZip) -> Document<'static> {
    let PackedZip { file, files, target, bytes, notes, .. } = packed;
    let system = target.name();
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
    if *target == Target::Domjudge {
        let zip = quote_word(&file.to_string_lossy());
        document
            .line(&format!("  upload: curl -u USER -F zip=@{zip} https://HOST/api/v4/contests/CID/problems"));
    }
    document
}

/// The files, in the order in which a site imports them.
pub fn questions_document(packed: &PackedQuestions) -> Document<'static> {
    let mut document = Document::default();
    let type_file = packed.type_file.display();
    document.line(&format!("{type_file}: the type of the questions; import it first, once"));
    let questions = counted(packed.packages.len(), "question");
    document.line(&format!("{}: {questions}", packed.file.display()));
    document
}
