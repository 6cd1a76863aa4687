//! A person at a terminal: types, waits, and sees a screen.

use super::{Desk, steady};
use crate::scratch;
use std::{
    io::{Read, Write},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

/// A person at a terminal.
pub struct Typist {
    script: Child,
    pieces: Receiver<Vec<u8>>,
    seen: Vec<u8>,
}

impl Typist {
    pub fn start(desk: &Desk, (columns, line): (u32, &str)) -> Typist {
        let kopek = env!("CARGO_BIN_EXE_kopek");
        let line = format!("trap : INT; stty cols {columns} rows 40; {kopek} {line}; echo \"exit code $?\"");
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).current_dir(desk.path());
        script.env("KOPEK_STORE", scratch::store()).env("TERM", "xterm").env("SHELL", "/bin/sh");
        let mut script = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (sender, pieces) = channel();
        let mut output = script.stdout.take().unwrap();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = output.read(&mut buffer) {
                if sender.send(buffer[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Typist { script, pieces, seen: Vec::new() }
    }

    /// Until this stands on the screen.
    pub fn wait_for(&mut self, text: &str) {
        while !String::from_utf8_lossy(&self.seen).contains(text) {
            // Generous: the machine may be busy with the other tests.
            let piece = self.pieces.recv_timeout(Duration::from_secs(60));
            self.seen.extend(piece.unwrap_or_else(|_| panic!("no `{text}` in {}", self.screen())));
        }
    }

    pub fn say(&mut self, text: &str) {
        self.script.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    pub fn screen(&self) -> String {
        // Text that is drawn over appears below the text that covers it.
        let text = String::from_utf8_lossy(&self.seen).replace("\r\n", "\n").replace("\u{1b}[H", "\n");
        steady(&console::strip_ansi_codes(&text))
    }

    /// The whole screen at the end.
    pub fn end(mut self) -> String {
        self.wait_for("exit code ");
        while let Ok(piece) = self.pieces.recv_timeout(Duration::from_secs(60)) {
            self.seen.extend(piece);
        }
        self.script.wait().unwrap();
        self.screen()
    }
}
