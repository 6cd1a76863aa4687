//! A real browser, driven by its own debugging protocol.

use crate::events;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

/// A browser with one page, gone when this is dropped.
pub struct Browser {
    child: Child,
    _home: tempfile::TempDir,
    socket: TcpStream,
    next: u64,
    size: (u32, u32),
    /// The last document that was loaded, as the protocol calls it.
    loaded: Value,
    /// What the page complained about, and what it asked for over the network.
    pub complaints: Vec<String>,
    pub requests: Vec<String>,
}

const PATIENCE: Duration = Duration::from_secs(60);

/// The browser's program, where there is one.
pub fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let places = std::env::split_paths(&path);
    places
        .flat_map(|dir| ["chromium", "chromium-browser"].map(|name| dir.join(name)))
        .find(|file| file.is_file())
}

impl Browser {
    /// Starts it with an empty page of this size.
    pub fn start(program: &Path, (width, height): (u32, u32)) -> Browser {
        let home = tempfile::tempdir().unwrap();
        let mut command = Command::new(program);
        let flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
            --disable-background-networking --disable-component-update --disable-sync --disable-dev-shm-usage \
            --remote-debugging-port=0 --remote-allow-origins=*";
        command.args(flags.split_whitespace());
        command.arg(format!("--user-data-dir={}", home.path().join("profile").display()));
        command.arg(format!("--window-size={width},{height}")).arg("about:blank");
        let log = home.path().join("log");
        let child = command.stdout(Stdio::null()).stderr(fs::File::create(&log).unwrap()).spawn().unwrap();
        let address = browser_address(&log);
        let socket = open_socket(address.0, &page_path(address));
        let mut browser = Browser {
            child,
            _home: home,
            socket,
            next: 0,
            size: (width, height),
            loaded: Value::Null,
            complaints: vec![],
            requests: vec![],
        };
        for domain in ["Page.enable", "Runtime.enable", "Log.enable", "Network.enable"] {
            browser.call(domain, json!({}));
        }
        browser.call("Page.setLifecycleEventsEnabled", json!({ "enabled": true }));
        browser
    }

    /// Opens an address and waits until it is loaded.
    pub fn open(&mut self, address: &str) {
        (self.complaints, self.requests) = (vec![], vec![]);
        let reply = self.call("Page.navigate", json!({ "url": address }));
        assert!(reply.get("errorText").is_none(), "{address}: {reply}");
        // Another place of the same document has none.
        while reply.get("loaderId").is_some_and(|document| *document != self.loaded) {
            let message = self.receive();
            self.note_event(&message);
        }
    }

    /// Shows pages at this size; narrow ones as a phone does.
    pub fn resize(&mut self, (width, height): (u32, u32)) {
        self.size = (width, height);
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 }),
        );
    }

    /// Keeps a picture of the whole page below `target/tmp/pictures`, for people who look at a run.
    pub fn keep_picture(&mut self, name: &str) {
        let size = self.size;
        // Content outside of the viewport may not be painted.
        let height = self.evaluate("document.documentElement.scrollHeight").as_u64().unwrap();
        self.resize((size.0, height.min(8000) as u32));
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join(format!("{name}.png")), self.picture()).unwrap();
        self.resize(size);
    }

    /// The visible part of the page as a PNG.
    pub fn picture(&mut self) -> Vec<u8> {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        BASE64_STANDARD.decode(shot["data"].as_str().unwrap()).unwrap()
    }

    /// What an expression is in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let reply = self.call(
            "Runtime.evaluate",
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }),
        );
        assert!(reply.get("exceptionDetails").is_none(), "{expression}: {reply}");
        reply["result"]["value"].clone()
    }

    /// Presses a key, as a person does.
    pub fn press(&mut self, key: &str) {
        let text = match key {
            "Enter" => "\r",
            key if key.chars().count() == 1 => key,
            _ => "",
        };
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code });
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Does what the protocol calls so.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        send_text(&mut self.socket, &json!({ "id": id, "method": method, "params": params }).to_string());
        loop {
            let message = self.receive();
            if message["id"] == json!(id) {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            self.note_event(&message);
        }
    }

    fn receive(&mut self) -> Value {
        serde_json::from_str(&receive_text(&mut self.socket)).unwrap()
    }

    fn note_event(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.complaints.push(params["exceptionDetails"].to_string()),
            Some("Page.lifecycleEvent") if params["name"] == "load" => {
                self.loaded = params["loaderId"].clone();
            }
            Some("Log.entryAdded") => self.complaints.push(params["entry"].to_string()),
            Some("Runtime.consoleAPICalled") => self.complaints.push(params["args"].to_string()),
            Some("Network.requestWillBeSent") => {
                self.requests.push(params["request"]["url"].as_str().unwrap_or_default().to_owned());
            }
            _ => {}
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Where the protocol of the browser is spoken: it prints that when it listens.
fn browser_address(log: &Path) -> (u16, String) {
    let listening = |text: &str| {
        let rest = text.split_once("DevTools listening on ws://127.0.0.1:")?.1;
        let (port, path) = rest.split_once('\n')?.0.trim().split_once('/')?;
        Some((port.parse().unwrap(), format!("/{path}")))
    };
    let text = events::await_text(log, |text| listening(text).is_some());
    listening(&text).unwrap()
}

/// Where the protocol of the first page is spoken.
fn page_path((port, path): (u16, String)) -> String {
    let mut socket = open_socket(port, &path);
    let request = json!({ "id": 1, "method": "Target.setDiscoverTargets", "params": { "discover": true } });
    send_text(&mut socket, &request.to_string());
    loop {
        let message: Value = serde_json::from_str(&receive_text(&mut socket)).unwrap();
        let target = &message["params"]["targetInfo"];
        if message["method"] == "Target.targetCreated" && target["type"] == "page" {
            return format!("/devtools/page/{}", target["targetId"].as_str().unwrap());
        }
    }
}

fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    String::from_utf8(head).unwrap()
}

/// A WebSocket, as far as one side of a talk with a browser on this machine needs it.
fn open_socket(port: u16, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    .unwrap();
    let head = read_head(&mut stream);
    assert!(head.starts_with("HTTP/1.1 101"), "{head}");
    stream
}

fn send_text(stream: &mut TcpStream, text: &str) {
    // One whole text, masked with zeros, with the longest form of its length.
    let mut frame = vec![0x81, 0xff];
    frame.extend((text.len() as u64).to_be_bytes());
    frame.extend([0; 4]);
    frame.extend(text.as_bytes());
    stream.write_all(&frame).unwrap();
}

fn receive_text(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    loop {
        let mut head = [0; 2];
        stream.read_exact(&mut head).unwrap();
        let length = match head[1] & 0x7f {
            126 => u64::from(u16::from_be_bytes(read_bytes(stream))),
            127 => u64::from_be_bytes(read_bytes(stream)),
            short => short.into(),
        };
        let mut piece = vec![0; length as usize];
        stream.read_exact(&mut piece).unwrap();
        // Pings and the like are no part of the text.
        if head[0] & 0x0f <= 2 {
            text.extend(piece);
            if head[0] & 0x80 != 0 {
                return String::from_utf8(text).unwrap();
            }
        }
    }
}

fn read_bytes<const N: usize>(stream: &mut TcpStream) -> [u8; N] {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes).unwrap();
    bytes
}
