//! What a hostile program leaves to be taken out of its box.

use super::attempt::exec;
use kopek::sandbox::*;
use std::{os::unix::fs::PermissionsExt, path::Path};

/// A Python program whose box is kept.
pub struct BoxAttack {
    /// What it tries.
    pub name: &'static str,
    script: &'static str,
    /// Below which path of the box.
    below: &'static str,
    exit: Exit,
}

const fn leaves(name: &'static str, script: &'static str, below: &'static str, exit: Exit) -> BoxAttack {
    BoxAttack { name, script, below, exit }
}

const WELL: Exit = Exit::Code(0);
const FULL: Exit = Exit::Exceeded(Limit::Files);

pub const ATTACKS: &[BoxAttack] = &[
    leaves(
        "leaves links out of the box",
        "import os\nos.symlink('/etc/shadow', 'a'); os.symlink('/etc', 'b'); os.symlink('../../..', 'c')",
        "",
        WELL,
    ),
    leaves("makes the kept directory a link", "import os\nos.symlink('/etc', 'out')", "out", WELL),
    leaves("makes the way to the kept directory a link", "import os\nos.symlink('/', 'a')", "a/etc", WELL),
    leaves("makes the kept directory a file", "open('out', 'w').write('x')", "out", WELL),
    leaves("removes the kept directory", "import shutil\nshutil.rmtree('out', True)", "out", WELL),
    leaves(
        "leaves programs with set-user-id",
        "import os\nopen('p', 'w').write('x'); os.chmod('p', 0o6777); os.mkdir('d'); os.chmod('d', 0o7777)",
        "",
        WELL,
    ),
    leaves(
        "leaves what cannot be read",
        "import os\nos.mkdir('d'); open('d/f', 'w').write('x'); os.chmod('d/f', 0); os.chmod('d', 0)\ntry: os.chmod('/box', 0)\nexcept OSError: pass",
        "",
        WELL,
    ),
    leaves(
        "leaves holes as large as the disk",
        "for n in range(2000): open(f'f{n}', 'w').truncate(7 << 20)",
        "",
        FULL,
    ),
    leaves(
        "leaves one file under many names",
        "import os\nopen('f', 'wb').write(bytes(4 << 20))\nfor n in range(2000): os.link('f', f'g{n}')",
        "",
        FULL,
    ),
    leaves(
        "leaves directories too deep",
        "import os\nfor n in range(300): os.mkdir('d'); os.chdir('d')",
        "",
        FULL,
    ),
    leaves(
        "leaves names that are no text",
        "import os\nfor n in (b'\\xff', b'\\xfe', b'a\\nb', b'-rf', b'...'): open(n, 'w').write('x')\nos.mkdir(b'\\xfd')",
        "",
        WELL,
    ),
    leaves(
        "leaves a file where a directory is",
        "import os\nos.mkdir(b'\\xff'); open(b'\\xff/f', 'w'); open(b'\\xfe', 'w')",
        "",
        WELL,
    ),
    leaves(
        "goes on writing while its box is kept",
        "import os\nif os.fork() == 0:\n  os.setsid()\n  while True: open('f', 'w').write('done')\n",
        "",
        WELL,
    ),
];

/// Lets it leave any files, and checks the copies.
pub fn attempt(slot: &mut Slot, row: &BoxAttack) -> Result<(), String> {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let mut run = exec(&["python3", "-I", "-B", "-c", row.script]);
    run.view.writable = true;
    run.keep = Keep::Below(row.below.into(), out.clone());
    let ran = slot.run(&run).map_err(|e| format!("a fault: {e}"))?;
    if ran.exit != row.exit {
        return Err(format!("{ran:?} {}", String::from_utf8_lossy(&ran.stderr.bytes().unwrap())));
    }
    if std::fs::read_dir(home.path()).unwrap().count() != 1 {
        return Err("something was written beside the directory".into());
    }
    let weight = weigh_plain_files(&out)?;
    let max = run.limits.files.0 * 2;
    if weight > max { Err(format!("{weight} bytes were taken out")) } else { Ok(()) }
}

/// Bytes below a directory in which nothing but plain files and directories may be.
fn weigh_plain_files(dir: &Path) -> Result<u64, String> {
    let mut weight = 0;
    for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let metadata = std::fs::symlink_metadata(entry.path()).unwrap();
        let odd = !(metadata.is_file() || metadata.is_dir()) || metadata.permissions().mode() & 0o7000 != 0;
        // What a link led to must not be copied either.
        let foreign = || std::fs::read(entry.path()).is_ok_and(|bytes| bytes.starts_with(b"root:"));
        if odd || foreign() {
            return Err(format!("{:?} was taken out: {metadata:?}", entry.path()));
        }
        weight += if metadata.is_dir() { weigh_plain_files(&entry.path())? } else { metadata.len() };
    }
    Ok(weight)
}
