//! What a row says of a header that is compiled once, and which programs may be built with it.

use serde::{Deserialize, Serialize};

/// How a row makes and uses one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrecompiledHeader {
    /// As programs include it: `bits/stdc++.h`.
    pub include: String,
    /// Makes it: what this command leaves in `/box` is shown at `/warm` to builds that may use it.
    pub make: Vec<String>,
    /// What the build command of these programs has in addition.
    pub give: Vec<String>,
}

impl PrecompiledHeader {
    /// Whether this is the first thing that a program does.
    pub(crate) fn opens(&self, text: &[u8]) -> bool {
        let directive = || -> Option<&[u8]> {
            let text = after_comments(text)?.strip_prefix(b"#")?;
            let text = text.trim_ascii_start().strip_prefix(b"include")?.trim_ascii_start();
            text.strip_prefix(b"<")?.strip_prefix(self.include.as_bytes())?.strip_prefix(b">")
        };
        // The rest of the line must be blank: else it is for the compiler to say what it means.
        let rest = directive().and_then(|rest| rest.split(|byte| *byte == b'\n').next());
        rest.is_some_and(|rest| rest.trim_ascii().is_empty())
    }
}

/// What follows blanks and comments; `None`: none of that ends in a way that is plain to see.
fn after_comments(text: &[u8]) -> Option<&[u8]> {
    let mut text = text.trim_ascii_start();
    loop {
        if let Some(comment) = text.strip_prefix(b"//") {
            let line = comment.split(|byte| *byte == b'\n').next()?;
            // It would go on in the next line.
            if line.trim_ascii_end().ends_with(b"\\") || line.trim_ascii_end().ends_with(b"??/") {
                return None;
            }
            text = comment[line.len()..].trim_ascii_start();
        } else if let Some(comment) = text.strip_prefix(b"/*") {
            text = comment[memchr::memmem::find(comment, b"*/")? + 2..].trim_ascii_start();
        } else {
            return Some(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::language::LanguageTable;

    #[test]
    fn only_a_program_that_begins_with_the_header_gets_it() {
        let table = LanguageTable::embedded();
        let header = table.get("cpp").unwrap().precompiled.clone().unwrap();
        for text in [
            "#include <bits/stdc++.h>\nint main() {}\n",
            "\n // by me\n/* a\n b */ # include<bits/stdc++.h>\r\nusing namespace std;",
            "#include <bits/stdc++.h>",
        ] {
            assert!(header.opens(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "#define int long long\n#include <bits/stdc++.h>\n",
            "#pragma GCC optimize(\"O3\")\n#include <bits/stdc++.h>\n",
            "#include <iostream>\n#include <bits/stdc++.h>\n",
            "#include \"bits/stdc++.h\"\n",
            "#include <bits/stdc++.h.gch>\n",
            "#include <bits/stdc++.h> x\n",
            "#include <bits/stdc++.h> \\\n\n",
            "// on \\\n#include <bits/stdc++.h>\n",
            "// on ??/\n#include <bits/stdc++.h>\n",
            "/* #include <bits/stdc++.h>\n",
            "int a;\n#include <bits/stdc++.h>\n",
            "\u{feff}#include <bits/stdc++.h>\n",
            "#ifdef X\n#include <bits/stdc++.h>\n#endif\n",
        ] {
            assert!(!header.opens(text.as_bytes()), "{text}");
        }
    }
}
