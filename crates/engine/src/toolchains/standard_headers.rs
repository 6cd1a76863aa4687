//! The standard headers of C and C++, and runs of them.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// Standard headers by the size of their preprocessed text in units of 100 kB: the part shared with
/// `<iostream>`, the rest, and the names. Measured with g++ 12 at `-std=gnu++20`; headers that it lacks are
/// estimated.
const HEAVY: [(u32, u32, &str); 29] = [
    (
        1,
        0,
        "any bit charconv compare concepts coroutine exception expected numbers ratio type_traits typeindex",
    ),
    (1, 1, "tuple"),
    (2, 0, "optional utility"),
    (2, 1, "numeric scoped_allocator variant"),
    (3, 0, "array list"),
    (3, 3, "cmath math.h"),
    (4, 0, "forward_list mdspan span string_view"),
    (4, 1, "deque set stack vector"),
    (4, 2, "flat_map flat_set map queue unordered_map unordered_set"),
    (4, 3, "algorithm"),
    (4, 5, "functional"),
    (4, 8, "valarray"),
    (7, 0, "bitset codecvt stacktrace stdexcept string system_error"),
    (7, 1, "atomic latch shared_mutex"),
    (7, 2, "mutex semaphore"),
    (7, 3, "memory_resource"),
    (7, 7, "random"),
    (8, 0, "iterator streambuf"),
    (8, 1, "locale"),
    (8, 3, "generator ranges"),
    (9, 0, "ios iostream istream ostream spanstream sstream syncstream"),
    (9, 1, "fstream iomanip"),
    (9, 2, "barrier chrono"),
    (9, 3, "memory stop_token thread"),
    (9, 4, "complex"),
    (9, 5, "condition_variable filesystem format future print"),
    (9, 9, "regex"),
    (9, 15, "execution"),
    (9, 31, "bits/stdc++.h"),
];

/// Headers with less than 50 kB: precompiling them saves nothing.
const LIGHT: &str = "assert.h cassert cctype cerrno cfenv cfloat cinttypes climits clocale csetjmp csignal cstdarg \
    cstddef cstdint cstdio cstdlib cstring ctime ctype.h cuchar cwchar cwctype errno.h fenv.h float.h initializer_list \
    inttypes.h iosfwd limits limits.h locale.h new setjmp.h signal.h source_location stdarg.h stdbool.h stddef.h \
    stdfloat stdint.h stdio.h stdlib.h string.h time.h typeinfo uchar.h version wchar.h wctype.h";

/// The size of `bits/stdc++.h`, which includes all the others.
const ALL: u32 = 40;

/// Standard headers in the order of the program's includes. In another order, or after others, compilers may
/// emit functions in another order.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct HeaderRun(Vec<String>);

impl HeaderRun {
    /// Adds a header unless it is present. Returns whether it is a standard header.
    pub(super) fn push(&mut self, header: &str) -> bool {
        let is_standard = weight(header).is_some();
        if is_standard && !self.0.iter().any(|known| known == header) {
            self.0.push(header.to_owned());
        }
        is_standard
    }

    /// The approximate amount of text to parse: headers share most of their includes.
    pub(crate) fn size(&self) -> u32 {
        let weights = || self.0.iter().filter_map(|header| weight(header));
        let shared = weights().map(|(shared, _)| shared).max().unwrap_or(0);
        ALL.min(shared + weights().map(|(_, own)| own).sum::<u32>())
    }

    /// The text of a header that includes them.
    pub(super) fn text(&self) -> String {
        self.0.iter().map(|header| format!("#include <{header}>\n")).collect()
    }

    /// Whether precompiling them saves nothing.
    pub(crate) fn is_light(&self) -> bool {
        self.size() == 0
    }

    pub(super) fn begins_with(&self, run: &HeaderRun) -> bool {
        self.0.starts_with(&run.0)
    }

    /// All prefixes of this run, including itself.
    pub(super) fn beginnings(&self) -> impl Iterator<Item = HeaderRun> {
        (1..=self.0.len()).map(|length| HeaderRun(self.0[..length].to_vec()))
    }

    /// The common prefix of both.
    pub(crate) fn shared_beginning(mut self, other: &HeaderRun) -> HeaderRun {
        let common = self.0.iter().zip(&other.0).take_while(|(one, other)| one == other).count();
        self.0.truncate(common);
        self
    }

    /// The headers before the first one that has the name of one of these files.
    pub(crate) fn before_files<'a>(mut self, files: impl Iterator<Item = &'a Path> + Clone) -> HeaderRun {
        let is_file = |header: &String| files.clone().any(|file| file.ends_with(header));
        let end = self.0.iter().position(is_file).unwrap_or(self.0.len());
        self.0.truncate(end);
        self
    }
}

/// The weight of a standard header; `None` if it is not one.
fn weight(header: &str) -> Option<(u32, u32)> {
    let has = |names: &str| names.split(' ').any(|name| name == header);
    let heavy = HEAVY.iter().find(|(.., names)| has(names)).map(|(shared, own, _)| (*shared, *own));
    heavy.or_else(|| has(LIGHT).then_some((0, 0)))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The standard headers among these.
    pub(crate) fn headers(names: &str) -> HeaderRun {
        let mut run = HeaderRun::default();
        for name in names.split_whitespace() {
            run.push(name);
        }
        run
    }

    #[test]
    fn runs_keep_standard_headers_in_their_order() {
        let mut run = headers("vector cstdio map vector");
        assert_eq!(run.text(), "#include <vector>\n#include <cstdio>\n#include <map>\n");
        assert!(run.push("set") && !run.push("windows.h") && run.push("map"));
        assert!(run.begins_with(&headers("vector cstdio")) && !run.begins_with(&headers("map")));
        assert_eq!(headers("set map list").shared_beginning(&headers("set map deque")), headers("set map"));
        let beginnings: Vec<HeaderRun> = headers("set map").beginnings().collect();
        assert_eq!(beginnings, [headers("set"), headers("set map")]);
    }

    #[test]
    fn headers_share_most_of_what_they_include() {
        for (names, size) in [
            ("", 0),
            ("cstdio", 0),
            ("vector", 5),
            ("iostream", 9),
            ("iostream string", 9),
            ("iostream vector algorithm", 13),
            ("bits/stdc++.h", 40),
            ("bits/stdc++.h iostream map", 40),
        ] {
            assert_eq!(headers(names).size(), size, "{names}");
        }
    }

    #[test]
    fn a_header_whose_name_a_file_has_ends_the_run() {
        let all = headers("iostream map vector set bits/stdc++.h");
        for (file, before) in [
            ("lib/vector", "iostream map"),
            ("bits/stdc++.h", "iostream map vector set"),
            ("iostream", ""),
            ("map.h", "iostream map vector set bits/stdc++.h"),
            ("stdc++.h", "iostream map vector set bits/stdc++.h"),
        ] {
            let files = ["main.cpp", file].map(Path::new);
            assert_eq!(all.clone().before_files(files.into_iter()), headers(before), "{file}");
        }
    }
}
