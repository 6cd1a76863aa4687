//! A browser without a window (chromium) that opens pages and prints what a script finds in them.

use crate::skip;
use serde_json::Value;
use std::{env, fs, path::Path, process::Command};

/// How pages are opened.
#[derive(Debug, Clone, Copy)]
pub enum View {
    Desktop,
    Phone,
    PhoneWithoutScripts,
}

/// What a script found in each page, and all messages in the browser's console.
pub struct Findings {
    pub values: Vec<Value>,
    pub console: Vec<String>,
}

/// The browser with a home of its own and no network; reports a skip if none is installed.
fn browser(home: &Path) -> Option<Command> {
    let path = env::var_os("PATH").unwrap_or_default();
    let files = env::split_paths(&path)
        .flat_map(|dir| ["chromium", "chromium-browser"].map(|name| dir.join(name)))
        .collect::<Vec<_>>();
    let Some(program) = files.iter().find(|file| file.is_file()) else {
        skip::report("no browser (chromium) is installed, so pages are not looked at");
        return None;
    };
    let mut command = Command::new(program);
    let flags = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --disable-dev-shm-usage --enable-logging=stderr";
    command.args(flags.split_whitespace()).arg("--host-resolver-rules=MAP * ~NOTFOUND");
    command.arg(format!("--user-data-dir={}", home.join("profile").display()));
    Some(command)
}

/// Opens all pages at once, each in a frame, and applies the script, a function of the frame's window that may be
/// async, to each.
pub fn look_at(pages: &[String], view: View, script: &str) -> Option<Findings> {
    let home = tempfile::tempdir().unwrap();
    let mut browser = browser(home.path())?;
    let attributes = match view {
        View::Desktop => "width=1280 height=900",
        View::Phone => "width=375 height=812",
        // The scripts of the outer page still read a frame of their own origin.
        View::PhoneWithoutScripts => "width=375 height=812 sandbox=allow-same-origin",
    };
    let mut text = "<!DOCTYPE html><meta charset=utf-8>".to_owned();
    for page in pages {
        let page = page.replace('&', "&amp;").replace('"', "&quot;");
        text += &format!("<iframe {attributes} style='border:0' srcdoc=\"{page}\"></iframe>");
    }
    // Chromium prints the page as HTML, so it would print these characters as entities.
    text += &format!(
        "<script>onload = async () => {{ const found = JSON.stringify(await Promise.all(Array.from(frames, {script})));
        const escaped = one => '\\\\u' + one.charCodeAt(0).toString(16).padStart(4, '0');
        document.documentElement.textContent = found.replace(/[<>&\\u0080-\\uffff]/g, escaped); }}</script>"
    );
    let file = home.path().join("frames.html");
    fs::write(&file, text).unwrap();
    // The time of timers, which pass at once when nothing else is to be done.
    browser.arg("--virtual-time-budget=60000");
    let done = browser.arg("--dump-dom").arg(file).output().unwrap();
    let (printed, log) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8_lossy(&done.stderr));
    let found = printed.split_once("<html>").and_then(|(_, rest)| rest.split_once("</html>"));
    let values = found.and_then(|(found, _)| serde_json::from_str(found).ok());
    let values = values.unwrap_or_else(|| panic!("{printed}\n{log}"));
    let console = log.lines().filter(|line| line.contains(":CONSOLE:")).map(str::to_owned).collect();
    Some(Findings { values, console })
}

/// Writes a picture of the top of a page.
pub fn take_picture(page: &Path, (width, height): (u32, u32), picture: &Path) {
    let home = tempfile::tempdir().unwrap();
    let Some(mut browser) = browser(home.path()) else { return };
    browser.arg(format!("--window-size={width},{height}")).arg("--hide-scrollbars");
    browser.arg(format!("--screenshot={}", picture.display())).arg(page);
    assert!(browser.output().unwrap().status.success());
}
