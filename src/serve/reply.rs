//! What a client gets: an answer, or a refusal with its reason, both as JSON.

use crate::base::wording::one_line;
use serde_json::{Value, json};

/// An answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientReply {
    /// `200`.
    pub status: u16,
    /// `None`: without a body.
    pub body: Option<Value>,
    /// What the access log says of it, without anything that a client sent.
    pub(super) note: String,
}

/// A refused request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RefusedRequest {
    pub(super) status: u16,
    pub(super) why: String,
}

impl RefusedRequest {
    pub(super) fn new(status: u16, why: impl Into<String>) -> RefusedRequest {
        RefusedRequest { status, why: why.into() }
    }

    /// A mistake of the client.
    pub(super) fn bad(why: impl Into<String>) -> RefusedRequest {
        RefusedRequest::new(400, why)
    }
}

impl From<RefusedRequest> for ClientReply {
    fn from(refusal: RefusedRequest) -> ClientReply {
        ClientReply { status: refusal.status, body: Some(Value::String(refusal.why)), note: String::new() }
    }
}

impl ClientReply {
    pub(super) fn with(body: Value) -> ClientReply {
        ClientReply { status: 200, body: Some(body), note: String::new() }
    }

    pub(super) fn empty(status: u16) -> ClientReply {
        ClientReply { status, body: None, note: String::new() }
    }

    /// The whole HTTP message. The reply itself is no longer held.
    pub(super) fn into_http(self) -> Vec<u8> {
        let reason = match self.status {
            200 => "OK",
            204 => "No Content",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            408 => "Request Timeout",
            411 => "Length Required",
            413 => "Content Too Large",
            503 => "Service Unavailable",
            _ => "Error",
        };
        let mut head = format!("HTTP/1.1 {} {reason}\r\nConnection: close\r\n", self.status);
        let body = self.body.map(|body| body.to_string());
        // A 204 must not have it, and the answer to a HEAD has no body.
        if let Some(body) = &body {
            head += &format!(
                "Content-Type: application/json; charset=utf-8\r\nContent-Length: {}\r\n",
                body.len()
            );
        } else if self.status != 204 {
            head += "Content-Length: 0\r\n";
        }
        head += "\r\n";
        let mut bytes = body.unwrap_or_default().into_bytes();
        bytes.splice(0..0, head.into_bytes());
        bytes
    }
}

/// How a run ended, with the number that the protocol gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunOutcome {
    CompileError = 11,
    RunTimeError = 12,
    TimeLimit = 13,
    Fine = 15,
    MemoryLimit = 17,
    IllegalCall = 19,
    Fault = 20,
    Overload = 21,
}

/// The answer to a run.
#[derive(Debug)]
pub(super) struct RunAnswer {
    pub(super) outcome: RunOutcome,
    pub(super) compiler: String,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// What failed here, for the log.
    pub(super) trouble: Option<String>,
}

impl RunAnswer {
    pub(super) fn new(outcome: RunOutcome) -> RunAnswer {
        let [compiler, stdout, stderr] = [const { String::new() }; 3];
        RunAnswer { outcome, compiler, stdout, stderr, trouble: None }
    }

    pub(super) fn reply(self, id: u64) -> ClientReply {
        let outcome = self.outcome as u8;
        let body = json!({
            "run_id": id.to_string(), "outcome": outcome, "cmpinfo": self.compiler, "stdout": self.stdout, "stderr": self.stderr,
        });
        let trouble = self.trouble.map(|trouble| format!(" ({})", one_line(&trouble))).unwrap_or_default();
        ClientReply { note: format!("outcome {outcome}{trouble}"), ..ClientReply::with(body) }
    }
}

/// Output as text. If it is not UTF-8, bytes that are not printable ASCII are written as `\xNN`.
pub(super) fn output_text(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'\n' | b'\r' | b'\t' | b' '..=b'~' => text.push(byte.into()),
            _ => text += &format!("\\x{byte:02x}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_that_is_not_text_is_written_by_its_bytes() {
        assert_eq!(output_text("Un rôle\n\u{1}".into()), "Un rôle\n\u{1}");
        assert_eq!(output_text(b"a\n\x01\x06\xc0\xc9~\n".to_vec()), "a\n\\x01\\x06\\xc0\\xc9~\n");
    }

    #[test]
    fn an_answer_has_the_length_of_its_body() {
        let text = |reply: ClientReply| String::from_utf8(reply.into_http()).unwrap();
        assert!(text(RefusedRequest::bad("é").into()).ends_with("Content-Length: 4\r\n\r\n\"é\""));
        assert_eq!(text(ClientReply::empty(204)), "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
        assert!(text(ClientReply::empty(404)).ends_with("Content-Length: 0\r\n\r\n"));
    }
}
