//! The standard headers that a program includes first. Nothing comes before them that could change their
//! meaning. They end at the first line that is not clearly an include.

use super::standard_headers::HeaderRun;

/// The headers in the unbroken run of `#include <…>` lines at the beginning of a text.
pub(crate) fn leading_includes(text: &[u8]) -> HeaderRun {
    let mut rest = plain_beginning(text);
    let mut run = HeaderRun::default();
    while let Some((header, after)) = next_include(rest)
        && run.push(header)
    {
        rest = after;
    }
    run
}

/// The lines before the first one that compilers may end elsewhere: after a `\`, its trigraph or a lone CR.
fn plain_beginning(text: &[u8]) -> &[u8] {
    // Compilers skip the byte order mark as well.
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let is_odd = |at: usize| match text[at] {
        b'\\' => true,
        b'?' => text[at..].starts_with(b"??/"),
        b'\r' => text.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    let Some(odd) = (0..text.len()).find(|&at| is_odd(at)) else { return text };
    &text[..memchr::memrchr(b'\n', &text[..odd]).map_or(0, |end| end + 1)]
}

/// The header that the next line of code includes, and the text after it.
fn next_include(text: &[u8]) -> Option<(&str, &[u8])> {
    let text = after_comments(text, b" \t\r\n")?.strip_prefix(b"#")?;
    let text = after_blanks(text, b" \t").strip_prefix(b"include")?;
    let text = after_blanks(text, b" \t").strip_prefix(b"<")?;
    let (name, rest) = text.split_at(memchr::memchr(b'>', text)?);
    let rest = after_comments(&rest[1..], b" \t\r")?;
    let ends_here = rest.is_empty() || rest.starts_with(b"\n");
    let header = std::str::from_utf8(name).ok()?;
    if ends_here { Some((header, rest)) } else { None }
}

/// The text after comments and these blanks; `None` if a comment does not end.
fn after_comments<'a>(text: &'a [u8], blanks: &[u8]) -> Option<&'a [u8]> {
    let mut text = after_blanks(text, blanks);
    loop {
        if let Some(comment) = text.strip_prefix(b"//") {
            let end = memchr::memchr(b'\n', comment).unwrap_or(comment.len());
            text = &comment[end..];
        } else if let Some(comment) = text.strip_prefix(b"/*") {
            text = &comment[memchr::memmem::find(comment, b"*/")? + 2..];
        } else {
            return Some(text);
        }
        text = after_blanks(text, blanks);
    }
}

fn after_blanks<'a>(text: &'a [u8], blanks: &[u8]) -> &'a [u8] {
    let end = text.iter().position(|byte| !blanks.contains(byte)).unwrap_or(text.len());
    &text[end..]
}

#[cfg(test)]
mod tests {
    use super::{super::standard_headers::tests::headers, *};

    #[test]
    fn only_standard_headers_before_anything_else_are_leading() {
        for (text, leading) in [
            ("", ""),
            ("#include <bits/stdc++.h>", "bits/stdc++.h"),
            ("#include <iostream>\n#include <vector>\nint main() {}\n#include <map>\n", "iostream vector"),
            ("\n// by me\n/* a\n b */ # \t include<map>\r\n\r\nusing namespace std;", "map"),
            (
                "#include <map> // pairs\n#include <set> /* a */ /* b\n */ // c\n#include <list>",
                "map set list",
            ),
            ("\u{feff}#include <map>\n", "map"),
            ("#include <cstdio>\n#include <map>\n", "cstdio map"),
            // Non-standard headers.
            ("#include <map>\n#include <windows.h>\n#include <set>\n", "map"),
            ("#include <ext/pb_ds/assoc_container.hpp>\n#include <set>\n", ""),
            ("#include \"map\"\n#include <set>\n", ""),
            ("#include < map >\n", ""),
            ("#include <map.gch>\n", ""),
            // Other tokens and directives.
            ("#define int long long\n#include <map>\n", ""),
            ("#pragma GCC optimize(\"O3\")\n#include <map>\n", ""),
            ("#ifdef X\n#include <map>\n#endif\n", ""),
            ("#include <set>\n#if 1\n#include <map>\n", "set"),
            ("int a;\n#include <map>\n", ""),
            ("import <set>;\n#include <map>\n", ""),
            ("#include MACRO\n#include <map>\n", ""),
            ("#include_next <map>\n", ""),
            ("#import <map>\n", ""),
            ("#\ninclude <map>\n", ""),
            ("%:include <map>\n", ""),
            ("??=include <map>\n", ""),
            ("#include/**/<map>\n", ""),
            ("#include <set>\n#include <map> x\n", "set"),
            ("#include <map> #include <set>\n", ""),
            ("#include <set>\n#include <map\n>\n", "set"),
            // Continued lines, and comments that end elsewhere.
            ("#include <set>\n#include <map> \\\n\n", "set"),
            ("#include <set>\n#include <map> // \\ \nx\n", "set"),
            ("#include <set>\n// on \\\n#include <map>\n", "set"),
            ("#include <set>\n// on ??/\n#include <map>\n", "set"),
            ("/* a *\\\n/\n#define set map\n/* */\n#include <map>\n", ""),
            ("#include <set>\n// a\r#define x\n#include <map>\n", "set"),
            ("#inc\\\nlude <map>\n", ""),
            ("#include <set>\n/* #include <map>\n", "set"),
            ("#include <set>\n/* a // */ #include <map>\n", "set map"),
            ("// /*\n#include <map>\n// */\n", "map"),
            // Blanks that compilers may treat differently.
            ("\u{c}#include <map>\n", ""),
            ("#include <map>\0\n", ""),
        ] {
            assert_eq!(leading_includes(text.as_bytes()), headers(leading), "{text:?}");
        }
    }
}
