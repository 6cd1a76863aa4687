//! Converts sources from other systems to text that compilers read.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// A source as UTF-8.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DecodedSource<'a> {
    pub bytes: Cow<'a, [u8]>,
    /// What it was before, if it was converted.
    pub encoding: Option<&'static str>,
}

pub(super) fn decode_source(bytes: &[u8]) -> DecodedSource<'_> {
    let into_utf8 = |encoding: &'static Encoding, name: &'static str| {
        let (text, ..) = encoding.decode(bytes);
        let text: Vec<u8> = text.into_owned().into_bytes();
        DecodedSource { bytes: Cow::Owned(text), encoding: Some(name) }
    };
    let unchanged = |bytes| DecodedSource { bytes: Cow::Borrowed(bytes), encoding: None };
    match bytes {
        [0xff, 0xfe, ..] => into_utf8(UTF_16LE, "UTF-16"),
        [0xfe, 0xff, ..] => into_utf8(UTF_16BE, "UTF-16"),
        // The byte order mark is an error for Java's compiler.
        [0xef, 0xbb, 0xbf, rest @ ..] => unchanged(rest),
        _ if zeros_at(bytes, 1) => into_utf8(UTF_16LE, "UTF-16"),
        _ if zeros_at(bytes, 0) => into_utf8(UTF_16BE, "UTF-16"),
        _ if std::str::from_utf8(bytes).is_ok() || bytes.contains(&0) || declares_encoding(bytes) => {
            unchanged(bytes)
        }
        // Windows-1252 has every letter of Latin-1.
        _ => into_utf8(WINDOWS_1252, "Latin-1"),
    }
}

/// Whether most characters have a zero byte at this place, as ASCII in UTF-16 does.
fn zeros_at(bytes: &[u8], place: usize) -> bool {
    let pairs = bytes.chunks_exact(2);
    let number = pairs.len();
    let zeros = pairs.filter(|pair| pair[place] == 0 && pair[1 - place] != 0).count();
    number > 0 && bytes.len().is_multiple_of(2) && zeros * 4 > number * 3
}

/// Whether a Python source declares its encoding on one of its first lines.
fn declares_encoding(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n').take(2);
    lines.any(|line| line.starts_with(b"#") && memchr::memmem::find(line, b"coding").is_some())
}

/// Signs of a language in a text without a known extension; the first match counts.
const SIGNS: [(&str, &[&str]); 20] = [
    ("python3", &["#!/usr/bin/env python", "#!/usr/bin/python"]),
    ("bash", &["#!/bin/bash", "#!/bin/sh", "#!/usr/bin/env bash", "#!/usr/bin/env sh"]),
    ("perl", &["#!/usr/bin/perl", "#!/usr/bin/env perl"]),
    ("ruby", &["#!/usr/bin/env ruby", "#!/usr/bin/ruby"]),
    ("javascript", &["#!/usr/bin/env node", "require('fs')", "require(\"fs\")", "console.log("]),
    ("php", &["<?php"]),
    ("scala", &["def main(args: Array[", "extends App {"]),
    ("java", &["public static void main(", "import java."]),
    ("csharp", &["using System"]),
    ("kotlin", &["fun main("]),
    ("swift", &["import Foundation"]),
    ("rust", &["fn main("]),
    ("go", &["package main"]),
    (
        "cpp",
        &[
            "#include <iostream",
            "#include <bits/",
            "using namespace std",
            "#include <vector",
            "#include <string>",
        ],
    ),
    ("c", &["#include <stdio", "#include <stdlib", "#include<stdio"]),
    ("cpp", &["#include"]),
    ("haskell", &["main :: IO", "module Main"]),
    ("python3", &["\ndef ", "\nimport ", "\nfrom ", "= int(input(", "\nprint(", "(input()", ".split())"]),
    ("python3", &["\nprint \"", "raw_input("]),
    ("pascal", &["\nbegin", "writeln("]),
];

/// The code of the language of a text; `None` if it is not a known program.
pub(super) fn language_of_text(text: &str) -> Option<&'static str> {
    // Signs at the start of a line match on the first line, too.
    let text = format!("\n{}", text.replace("\r\n", "\n").replace("#include<", "#include <"));
    let has = |sign: &&str| {
        if sign.starts_with("#!") { text[1..].starts_with(*sign) } else { text.contains(*sign) }
    };
    let (code, _) = SIGNS.iter().find(|(_, signs)| signs.iter().any(&has))?;
    Some(code)
}

/// The text of an HTML page that a rich-text editor made from a program.
pub(super) fn text_of_html(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        // A `<` without `>` is an unescaped operator of the program.
        let Some(end) = rest.find('>') else { break };
        let tag = rest[1..end].trim_matches('/').split_whitespace().next().unwrap_or_default();
        if ["br", "p", "div", "li", "tr"].contains(&tag.to_lowercase().as_str()) && !text.ends_with('\n') {
            text.push('\n');
        }
        rest = &rest[end + 1..];
    }
    text.push_str(rest);
    let entities = [
        ("&nbsp;", " "),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#039;", "'"),
        ("&amp;", "&"),
    ];
    let text = entities.iter().fold(text, |text, (entity, sign)| text.replace(entity, sign));
    text.replace('\u{a0}', " ").trim_start_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    #[test]
    fn other_encodings_become_utf_8_and_are_named() {
        let cases = [
            (utf16("\u{feff}print('ä')", u16::to_le_bytes), "print('ä')", Some("UTF-16")),
            (utf16("\u{feff}print('ä')", u16::to_be_bytes), "print('ä')", Some("UTF-16")),
            (utf16("print(1)", u16::to_le_bytes), "print(1)", Some("UTF-16")),
            (utf16("print(1)", u16::to_be_bytes), "print(1)", Some("UTF-16")),
            (b"# gr\xfc\xdfe\nprint(1)".to_vec(), "# grüße\nprint(1)", Some("Latin-1")),
            ("\u{feff}class A {}".into(), "class A {}", None),
            ("print('ü')".into(), "print('ü')", None),
        ];
        for (bytes, wanted, word) in cases {
            let DecodedSource { bytes: text, encoding } = decode_source(&bytes);
            assert_eq!(String::from_utf8(text.into_owned()).as_deref(), Ok(wanted));
            assert_eq!(encoding, word);
        }
        let own = b"# -*- coding: latin-1 -*-\nprint('\xfc')\n";
        assert_eq!(decode_source(own), DecodedSource { bytes: Cow::Borrowed(own), encoding: None });
    }

    #[test]
    fn programs_are_known_by_their_text_and_prose_is_none() {
        let cases = [
            ("n = int(input())\nprint(n)\n", Some("python3")),
            ("#include <iostream>\nint main() {}", Some("cpp")),
            ("#include<stdio.h>\r\nint main() {}", Some("c")),
            ("import java.util.*;\nclass A {}", Some("java")),
            ("import java.util.Scanner\nobject A extends App {}", Some("scala")),
            ("import Foundation\nprint(1)", Some("swift")),
            ("#!/bin/bash\necho 1", Some("bash")),
            ("I had no time, sorry. The import of goods is a begin.", None),
            ("5\n1 2 3 4 5\n", None),
        ];
        for (text, code) in cases {
            assert_eq!(language_of_text(text), code, "{text}");
        }
    }

    #[test]
    fn a_program_is_read_out_of_a_page() {
        let html =
            "<p>#include &lt;stdio.h&gt;<br />int main() {<br>&nbsp;return 1 &amp;&amp; 0;</p><p>}</p>";
        assert_eq!(text_of_html(html), "#include <stdio.h>\nint main() {\n return 1 && 0;\n}\n");
        assert_eq!(text_of_html("a < b"), "a < b");
    }

    #[test]
    fn every_language_has_signs_or_is_known_by_its_ending_only() {
        let others =
            ["pypy3", "typescript", "ocaml", "lua", "prolog", "fortran", "ada", "lisp", "awk", "r", "octave"];
        for language in kopek_package::language::LanguageTable::embedded().languages() {
            let code = language.code.as_str();
            assert_ne!(SIGNS.iter().any(|(of, _)| *of == code), others.contains(&code), "{code}");
        }
    }
}
