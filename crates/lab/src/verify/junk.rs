//! Inputs that no validator should accept, made from one that it must accept. Pure.

use super::junk_outputs::token_places;

/// A spoilt input and the kind of change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JunkInput {
    /// The kind, for a sentence: `a trailing space`.
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

/// More digits than fit into any type of fixed size.
const HUGE: &[u8] = b"1000000000000000000000000000000000000007";

/// All junk made from an input; skips changes without an effect.
pub(super) fn junk_inputs(input: &[u8]) -> Vec<JunkInput> {
    let numbers = number_tokens(input);
    let body = input.strip_suffix(b"\n").unwrap_or(input);
    let first_line = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
    let insert = |at: usize, what: &[u8]| [&input[..at], what, &input[at..]].concat();
    let mut all = vec![
        ("no bytes at all", Vec::new()),
        ("no newline at its end", body.to_vec()),
        ("a trailing space", insert(first_line, b" ")),
        ("an extra token in its last line", insert(body.len(), b" 7")),
        ("an extra line at its end", [input, b"7\n"].concat()),
        ("an extra blank line at its end", [input, b"\n"].concat()),
        ("CRLF line ends", with_crlf(input)),
        ("binary bytes at its end", insert(body.len(), b"\0\xff\xfe")),
    ];
    let ends = [
        (numbers.first(), "a leading zero in its first number", "a huge first number"),
        (numbers.last(), "a leading zero in its last number", "a huge last number"),
    ];
    for (number, zero, huge) in ends {
        let Some(&(start, end)) = number else { continue };
        let sign = usize::from(input[start] == b'-');
        all.push((zero, insert(start + sign, b"0")));
        all.push((huge, [&input[..start], HUGE, &input[end..]].concat()));
    }
    let mut known: Vec<Vec<u8>> = vec![input.to_vec()];
    all.retain(|(_, bytes)| {
        let new = !known.contains(bytes);
        known.push(bytes.clone());
        new
    });
    all.into_iter().map(|(kind, bytes)| JunkInput { kind, bytes }).collect()
}

fn with_crlf(input: &[u8]) -> Vec<u8> {
    let double = |&byte: &u8| if byte == b'\n' { vec![b'\r', b'\n'] } else { vec![byte] };
    input.iter().flat_map(double).collect()
}

/// The places of integers that are whole tokens.
fn number_tokens(input: &[u8]) -> Vec<(usize, usize)> {
    let mut places = token_places(input);
    places.retain(|&(start, end)| {
        let token = &input[start..end];
        let digits = token.strip_prefix(b"-").unwrap_or(token);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    });
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn junk_of_kind(input: &[u8], kind: &str) -> Vec<u8> {
        junk_inputs(input).into_iter().find(|junk| junk.kind == kind).expect(kind).bytes
    }

    #[test]
    fn each_junk_is_spoilt_in_one_way() {
        let input = b"2 x\n-5 30\n";
        assert_eq!(junk_of_kind(input, "no newline at its end"), b"2 x\n-5 30");
        assert_eq!(junk_of_kind(input, "a trailing space"), b"2 x \n-5 30\n");
        assert_eq!(junk_of_kind(input, "an extra token in its last line"), b"2 x\n-5 30 7\n");
        assert_eq!(junk_of_kind(input, "CRLF line ends"), b"2 x\r\n-5 30\r\n");
        assert_eq!(junk_of_kind(input, "a leading zero in its first number"), b"02 x\n-5 30\n");
        assert_eq!(junk_of_kind(input, "a leading zero in its last number"), b"2 x\n-5 030\n");
        assert_eq!(junk_of_kind(b"-5\n", "a leading zero in its first number"), b"-05\n");
        assert_eq!(junk_inputs(input).len(), 12);
    }

    #[test]
    fn what_spoils_nothing_is_left_out() {
        let kinds = |input: &[u8]| junk_inputs(input).into_iter().map(|junk| junk.kind).collect::<Vec<_>>();
        assert!(!kinds(b"").contains(&"no bytes at all"));
        assert!(!kinds(b"word").contains(&"no newline at its end"));
        assert_eq!(kinds(b"7\n").iter().filter(|kind| kind.contains("huge")).count(), 1);
    }
}
