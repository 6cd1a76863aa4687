//! The standard headers of C and C++, and sets of them. They may be included in any order.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// By what preprocessing them yields, in units of 100 kB: what `<iostream>` yields as well, what it does not, and the
/// headers. Measured with g++ 12 at `-std=gnu++20`; those that it lacks are estimated.
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

/// Those that yield less than 50 kB: to precompile them saves nothing.
const LIGHT: &str = "assert.h cassert cctype cerrno cfenv cfloat cinttypes climits clocale csetjmp csignal cstdarg \
    cstddef cstdint cstdio cstdlib cstring ctime ctype.h cuchar cwchar cwctype errno.h fenv.h float.h initializer_list \
    inttypes.h iosfwd limits limits.h locale.h new setjmp.h signal.h source_location stdarg.h stdbool.h stddef.h \
    stdfloat stdint.h stdio.h stdlib.h string.h time.h typeinfo uchar.h version wchar.h wctype.h";

/// The size of `bits/stdc++.h`, which includes all the others.
const ALL: u32 = 40;

/// A set of standard headers. Light ones are not in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub(crate) struct HeaderSet(u128);

impl HeaderSet {
    /// The set of this header only; `None`: it is not a standard header.
    pub(crate) fn of(header: &str) -> Option<HeaderSet> {
        let place = heavy_headers().position(|(_, _, name)| name == header);
        let heavy = place.map(|place| HeaderSet(1 << place));
        heavy.or_else(|| LIGHT.split(' ').any(|name| name == header).then(HeaderSet::default))
    }

    /// Their names.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        self.headers().map(|(_, _, name)| name)
    }

    fn headers(self) -> impl Iterator<Item = (u32, u32, &'static str)> {
        heavy_headers()
            .enumerate()
            .filter(move |(place, _)| self.0 >> place & 1 == 1)
            .map(|(_, header)| header)
    }

    /// About how much there is to parse: headers share most of what they include.
    pub(crate) fn size(self) -> u32 {
        let shared = self.headers().map(|(shared, ..)| shared).max().unwrap_or(0);
        let own: u32 = self.headers().map(|(_, own, _)| own).sum();
        ALL.min(shared + own)
    }

    /// A header that includes them.
    pub(crate) fn text(self) -> String {
        self.names().map(|name| format!("#include <{name}>\n")).collect()
    }

    /// Those of which none of these files has the name.
    pub(crate) fn without_files<'a>(self, files: impl Iterator<Item = &'a Path> + Clone) -> HeaderSet {
        self.names()
            .filter(|name| !files.clone().any(|file| file.ends_with(name)))
            .map(str::to_owned)
            .collect()
    }

    pub(crate) fn union(self, other: HeaderSet) -> HeaderSet {
        HeaderSet(self.0 | other.0)
    }

    pub(crate) fn intersection(self, other: HeaderSet) -> HeaderSet {
        HeaderSet(self.0 & other.0)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn is_subset(self, other: HeaderSet) -> bool {
        self.intersection(other) == self
    }
}

fn heavy_headers() -> impl Iterator<Item = (u32, u32, &'static str)> {
    HEAVY.iter().flat_map(|(shared, own, names)| names.split(' ').map(|name| (*shared, *own, name)))
}

/// Other names are left out.
impl FromIterator<String> for HeaderSet {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> HeaderSet {
        names.into_iter().filter_map(|name| HeaderSet::of(&name)).fold(HeaderSet::default(), HeaderSet::union)
    }
}

impl From<Vec<String>> for HeaderSet {
    fn from(names: Vec<String>) -> HeaderSet {
        names.into_iter().collect()
    }
}

impl From<HeaderSet> for Vec<String> {
    fn from(headers: HeaderSet) -> Vec<String> {
        headers.names().map(str::to_owned).collect()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The set of these headers.
    pub(crate) fn headers(names: &str) -> HeaderSet {
        names.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn sets_keep_standard_headers_that_are_worth_it() {
        assert!(heavy_headers().count() <= 128, "a set has a bit for each");
        let set = headers("vector cstdio windows.h bits/stdc++.h map");
        assert_eq!(set.text(), "#include <vector>\n#include <map>\n#include <bits/stdc++.h>\n");
        assert_eq!(serde_json::to_string(&set).unwrap(), r#"["vector","map","bits/stdc++.h"]"#);
        assert_eq!(
            serde_json::from_str::<HeaderSet>(r#"["map","gone","vector"]"#).unwrap(),
            headers("vector map")
        );
        assert_eq!((HeaderSet::of("cstdio"), HeaderSet::of("windows.h")), (Some(HeaderSet::default()), None));
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
    fn a_header_whose_name_a_file_has_is_left_out() {
        let files = ["main.cpp", "lib/vector", "stdc++.h", "x/bits/stdc++.h", "map.h"].map(Path::new);
        let set = headers("vector map bits/stdc++.h iostream").without_files(files.into_iter());
        assert_eq!(set, headers("map iostream"));
    }
}
