//! Outputs for checking a validator, made from an answer that it accepts. Pure.

/// An output that is probably wrong, and its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JunkOutput {
    /// For a sentence: `the answer with an extra word at its end`.
    pub kind: &'static str,
    pub doubt: Doubt,
    pub bytes: Vec<u8>,
}

/// The certainty that an output is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It is correct only in very unusual problems.
    Hardly,
    /// It may be correct in a problem with several correct outputs.
    Some,
}

/// More digits than common languages convert to a number by default.
const DIGITS: usize = 5000;
/// Lines of a long output.
const LINES: usize = 100_000;

/// Outputs that are unrelated to the answer.
pub(super) fn foreign_outputs(answer: &[u8]) -> Vec<JunkOutput> {
    let digits = [vec![b'9'; DIGITS], b"\n".to_vec()].concat();
    let all = vec![
        junk("nothing at all", Doubt::Hardly, b""),
        junk("an empty line", Doubt::Hardly, b"\n"),
        junk("a word", Doubt::Hardly, b"what?\n"),
        junk("two words", Doubt::Hardly, b"a b\n"),
        junk("bytes that are no text", Doubt::Hardly, b"\xff\xfe\x80\0\n"),
        junk("`nan`", Doubt::Hardly, b"nan\n"),
        junk("a negative number", Doubt::Some, b"-1\n"),
        junk("a number with a fraction", Doubt::Some, b"0.5\n"),
        junk("a number of 5000 digits", Doubt::Some, &digits),
        junk("100000 lines of numbers", Doubt::Some, &b"7\n".repeat(LINES)),
    ];
    without_repetitions(all, answer)
}

/// The answer with one mistake each.
pub(super) fn spoilt_answers(answer: &[u8]) -> Vec<JunkOutput> {
    let tokens = token_places(answer);
    let end = tokens.last().map(|&(_, end)| end).unwrap_or_default();
    let insert = |what: &[u8]| [&answer[..end], what, &answer[end..]].concat();
    let mut all = vec![
        junk("the answer with an extra word at its end", Doubt::Hardly, &insert(b" what?")),
        junk("the answer with an extra line behind it", Doubt::Hardly, &insert(b"\nwhat?")),
        junk("the answer twice", Doubt::Some, &[&answer[..end], b"\n", answer].concat()),
    ];
    if let Some(&(start, end)) = tokens.last() {
        let rest = [&answer[..start], &answer[end..]].concat();
        all.push(junk("the answer without its last word", Doubt::Some, &rest));
    }
    let numbers: Vec<_> = tokens.into_iter().filter(|&(start, end)| is_number(&answer[start..end])).collect();
    all.extend(spoilt_numbers(answer, &numbers));
    without_repetitions(all, answer)
}

type NewNumber<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;

/// Replaces numbers by other things.
fn spoilt_numbers(answer: &[u8], numbers: &[(usize, usize)]) -> Vec<JunkOutput> {
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return vec![] };
    let first = std::slice::from_ref(first);
    let last = std::slice::from_ref(last);
    let digits = vec![b'9'; DIGITS];
    let all: [(_, _, _, NewNumber); 9] = [
        ("the answer with a word for its first number", Doubt::Hardly, first, &|_| b"x".to_vec()),
        ("the answer with a word for its last number", Doubt::Hardly, last, &|_| b"x".to_vec()),
        ("the answer with `nan` for its first number", Doubt::Hardly, first, &|_| b"nan".to_vec()),
        ("the answer with `nan` for every number", Doubt::Hardly, numbers, &|_| b"nan".to_vec()),
        ("the answer with 5000 digits for its first number", Doubt::Some, first, &|_| digits.clone()),
        ("the answer with -1 for its last number", Doubt::Some, last, &|_| b"-1".to_vec()),
        ("the answer with its first number one greater", Doubt::Some, first, &one_greater),
        ("the answer with its last number one greater", Doubt::Some, last, &one_greater),
        ("the answer with every number one greater", Doubt::Some, numbers, &one_greater),
    ];
    let spoilt = |places, with| replaced(answer, places, with);
    all.into_iter().map(|(kind, doubt, places, with)| junk(kind, doubt, &spoilt(places, with))).collect()
}

fn junk(kind: &'static str, doubt: Doubt, bytes: &[u8]) -> JunkOutput {
    JunkOutput { kind, doubt, bytes: bytes.to_vec() }
}

/// Drops outputs with the same words as the answer or as an earlier output.
fn without_repetitions(mut all: Vec<JunkOutput>, answer: &[u8]) -> Vec<JunkOutput> {
    let is_blank = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_whitespace);
    let mut known: Vec<Vec<u8>> = vec![answer.to_vec()];
    all.retain(|one| {
        let old = known.contains(&one.bytes) || (is_blank(answer) && is_blank(&one.bytes));
        known.push(one.bytes.clone());
        !old
    });
    all
}

/// The places of the words of a text.
pub(super) fn token_places(text: &[u8]) -> Vec<(usize, usize)> {
    let mut at = 0;
    let mut places = Vec::new();
    for token in text.split(u8::is_ascii_whitespace) {
        if !token.is_empty() {
            places.push((at, at + token.len()));
        }
        at += token.len() + 1;
    }
    places
}

/// Whether a token is an integer or has a decimal point.
pub(super) fn is_number(token: &[u8]) -> bool {
    let body = token.strip_prefix(b"-").unwrap_or(token);
    let (whole, fraction) = match body.iter().position(|&byte| byte == b'.') {
        Some(point) => (&body[..point], &body[point + 1..]),
        None => (body, &b"0"[..]),
    };
    let are_digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    are_digits(whole) && are_digits(fraction)
}

/// A number with its integer part increased by one; one that fits no type gets a digit in front.
fn one_greater(number: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(number);
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut greater = match whole.parse::<i128>().ok().and_then(|whole| whole.checked_add(1)) {
        Some(greater) => greater.to_string(),
        None => format!("1{}", whole.trim_start_matches('-')),
    };
    if !fraction.is_empty() {
        greater += &format!(".{fraction}");
    }
    greater.into_bytes()
}

fn replaced(text: &[u8], places: &[(usize, usize)], with: NewNumber) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    for &(start, end) in places {
        out.extend_from_slice(&text[at..start]);
        out.extend(with(&text[start..end]));
        at = end;
    }
    out.extend_from_slice(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoilt(answer: &[u8], kind: &str) -> Vec<u8> {
        spoilt_answers(answer).into_iter().find(|junk| junk.kind.ends_with(kind)).expect(kind).bytes
    }

    #[test]
    fn answers_are_spoilt_in_one_way_each() {
        let answer = b"yes 9\n-1 2.5\n";
        assert_eq!(spoilt(answer, "an extra word at its end"), b"yes 9\n-1 2.5 what?\n");
        assert_eq!(spoilt(answer, "an extra line behind it"), b"yes 9\n-1 2.5\nwhat?\n");
        assert_eq!(spoilt(answer, "the answer twice"), b"yes 9\n-1 2.5\nyes 9\n-1 2.5\n");
        assert_eq!(spoilt(answer, "without its last word"), b"yes 9\n-1 \n");
        assert_eq!(spoilt(answer, "a word for its first number"), b"yes x\n-1 2.5\n");
        assert_eq!(spoilt(answer, "`nan` for every number"), b"yes nan\nnan nan\n");
        assert_eq!(spoilt(answer, "every number one greater"), b"yes 10\n0 3.5\n");
        assert_eq!(spoilt(b"7", "the answer twice"), b"7\n7");
        assert_eq!(spoilt_answers(answer).len(), 13);
    }

    #[test]
    fn what_the_answer_is_already_is_not_asked() {
        let kinds = |all: Vec<JunkOutput>| all.into_iter().map(|junk| junk.kind).collect::<Vec<_>>();
        assert!(!kinds(foreign_outputs(b"")).contains(&"an empty line"));
        assert!(!kinds(foreign_outputs(b"-1\n")).contains(&"a negative number"));
        assert!(kinds(spoilt_answers(b"no\n")).iter().all(|kind| !kind.contains("number")));
        assert_eq!(kinds(spoilt_answers(b"")).len(), 2);
    }

    #[test]
    fn numbers_that_fit_no_type_become_others_too() {
        let long = "9".repeat(60);
        assert_eq!(one_greater(long.as_bytes()), format!("1{long}").as_bytes());
        assert_eq!(one_greater(b"-3.5"), b"-2.5");
        assert!(is_number(b"-3") && is_number(b"0.25"));
        assert!(!is_number(b"1.") && !is_number(b"-") && !is_number(b"x1"));
    }
}
