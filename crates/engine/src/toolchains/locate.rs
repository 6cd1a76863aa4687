//! Locates a toolchain's programs: searches `PATH`, resolves shims, and determines which host directories
//! must be visible for a program to work. Runs nothing.

use serde::Deserialize;
use std::{
    collections::HashMap,
    ffi::OsString,
    fs,
    io::Read,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// Where to search. Only the command line reads the environment; it fills this in.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// `PATH`.
    pub path: OsString,
    /// `HOME`: never shown as a whole.
    pub home: Option<PathBuf>,
    /// `RUSTUP_TOOLCHAIN`, if the user chose one.
    pub rustup_toolchain: Option<String>,
    /// `RUSTUP_HOME`, if it is not the default.
    pub rustup_home: Option<PathBuf>,
}

/// Directories that the sandbox always shows.
const BASIS: [&str; 5] = ["/usr", "/bin", "/lib", "/lib32", "/lib64"];

/// The C library: every compiler links it, and every runtime runs on it.
const C_LIBRARY: [&str; 6] = [
    "/lib/x86_64-linux-gnu/libc.so.6",
    "/lib/aarch64-linux-gnu/libc.so.6",
    "/lib64/libc.so.6",
    "/usr/lib/libc.so.6",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];

/// The C library of this machine.
pub(crate) fn c_library() -> Option<&'static Path> {
    C_LIBRARY.into_iter().map(Path::new).find(|path| path.exists())
}

/// The path of the first of these programs that can be found.
pub(crate) fn find_program(names: &[String], search: &Search) -> Option<PathBuf> {
    names.iter().find_map(|name| find_one(name, search))
}

/// A real program anywhere in `PATH` is preferred to a shim: it is more often in the sandbox's basis, and
/// does not change with a user's settings.
fn find_one(name: &str, search: &Search) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| is_program(path));
    }
    // The meaning of a relative entry would depend on the working directory.
    let dirs = std::env::split_paths(&search.path).filter(|dir| dir.is_absolute());
    let found = dirs.map(|dir| dir.join(name)).filter(|path| is_program(path));
    let mut shims = Vec::new();
    for path in found {
        let Some(shim) = shim_at(&path) else { return Some(path) };
        // rustup's proxies are links to rustup, and the system's rustc is usually much older.
        if shim == Shim::Rustup
            && shims.is_empty()
            && let Some(target) = shim.target(&path, name, search)
        {
            return Some(target);
        }
        shims.push((shim, path));
    }
    shims.iter().find_map(|(shim, path)| shim.target(path, name, search))
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Programs that only locate the real one, by means that the sandbox does not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shim {
    /// `~/.cargo/bin/rustc` is a link to `rustup`.
    Rustup,
    /// pyenv, rbenv and similar tools: `ROOT/shims/python3` is a script.
    Versions,
}

fn shim_at(path: &Path) -> Option<Shim> {
    let real = fs::canonicalize(path).ok()?;
    if real.file_name().is_some_and(|name| name == "rustup" || name == "rustup-init") {
        return Some(Shim::Rustup);
    }
    let in_shims = path.parent().is_some_and(|dir| dir.ends_with("shims"));
    if in_shims && is_script(&real) { Some(Shim::Versions) } else { None }
}

fn is_script(path: &Path) -> bool {
    let mut head = [0; 2];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == *b"#!"
}

impl Shim {
    fn target(self, path: &Path, name: &str, search: &Search) -> Option<PathBuf> {
        let root = path.parent()?.parent()?;
        let target = match self {
            Shim::Rustup => rustup_toolchain(root, search)?.join("bin").join(name),
            Shim::Versions => {
                let chosen = fs::read_to_string(root.join("version")).ok()?;
                root.join("versions").join(chosen.split_whitespace().next()?).join("bin").join(name)
            }
        };
        Some(target).filter(|target| is_program(target))
    }
}

/// The directory of the user's toolchain; `cargo` is the parent of the proxies' `bin`.
fn rustup_toolchain(cargo: &Path, search: &Search) -> Option<PathBuf> {
    #[derive(Deserialize)]
    struct RustupSettings {
        default_toolchain: Option<String>,
    }
    // `~/.rustup` beside `~/.cargo`, or without the dots as in container images.
    let beside = [".rustup", "rustup"].map(|name| cargo.with_file_name(name));
    let home = search.rustup_home.iter().chain(&beside).find(|home| home.join("toolchains").is_dir())?;
    let chosen = search.rustup_toolchain.clone().or_else(|| {
        let text = fs::read_to_string(home.join("settings.toml")).ok()?;
        toml::from_str::<RustupSettings>(&text).ok()?.default_toolchain
    })?;
    let exact = home.join("toolchains").join(&chosen);
    if exact.is_dir() {
        return Some(exact);
    }
    // `stable` is short for `stable-x86_64-unknown-linux-gnu`.
    let long = format!("{chosen}-");
    let named =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&long));
    let mut all: Vec<_> =
        fs::read_dir(home.join("toolchains")).ok()?.flatten().map(|entry| entry.path()).collect();
    // `read_dir` has no order, but the choice must be deterministic.
    all.sort();
    all.into_iter().find(named)
}

/// The path by which to call a program. Keeps the name it was found under (`clang++` is a link whose name
/// matters) and resolves links of the directory, so that `/bin` becomes `/usr/bin`. Outside the basis it is
/// the real path, because only that is visible.
pub(crate) fn call_path(path: &Path) -> PathBuf {
    let found = path.parent().and_then(|dir| Some(fs::canonicalize(dir).ok()?.join(path.file_name()?)));
    let real = || fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    found.filter(|found| in_basis(found)).unwrap_or_else(real)
}

pub(crate) fn real_paths<'a>(programs: impl IntoIterator<Item = &'a PathBuf>) -> Vec<PathBuf> {
    programs.into_iter().filter_map(|program| fs::canonicalize(program).ok()).collect()
}

/// The host directory that must be visible for the program with this path; `None` if the basis is enough.
fn visible_root(real: &Path, home: Option<&Path>) -> Option<PathBuf> {
    if in_basis(real) {
        return None;
    }
    let prefix = real.parent().filter(|dir| dir.ends_with("bin")).and_then(Path::parent);
    // A whole home directory, or everything that was installed into it, is more than a program needs.
    let private = |dir: &Path| {
        dir == Path::new("/") || home.is_some_and(|home| home.starts_with(dir) || dir == home.join(".local"))
    };
    Some(prefix.filter(|dir| !private(dir)).unwrap_or(real).to_owned())
}

/// Host directories of tools outside the basis.
pub(crate) fn visible_roots(real: &[PathBuf], search: &Search) -> Vec<PathBuf> {
    real.iter().filter_map(|tool| visible_root(tool, search.home.as_deref())).collect()
}

fn in_basis(path: &Path) -> bool {
    BASIS.iter().any(|dir| path.starts_with(dir))
}

/// The paths of a row that exist; a `*` in a component matches anything.
pub(crate) fn existing_paths(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut listings = HashMap::new();
    paths.iter().flat_map(|path| matching_paths(path, &mut listings)).collect()
}

/// Cached directory listings: many patterns search the same directories.
type Listings = HashMap<PathBuf, Vec<String>>;

fn matching_paths(pattern: &Path, listings: &mut Listings) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for part in pattern.components() {
        let part = Path::new(&part);
        found = match part.to_str().and_then(|text| text.split_once('*')) {
            Some((start, end)) => {
                found.into_iter().flat_map(|dir| entries_named(dir, start, end, listings)).collect()
            }
            None => found.into_iter().map(|dir| dir.join(part)).collect(),
        };
    }
    found.retain(|path| path.exists());
    found
}

fn entries_named(dir: PathBuf, start: &str, end: &str, listings: &mut Listings) -> Vec<PathBuf> {
    let names = listings.entry(dir.clone()).or_insert_with_key(|dir| {
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    });
    let is_named = |name: &&String| name.strip_prefix(start).is_some_and(|rest| rest.ends_with(end));
    let mut found: Vec<PathBuf> = names.iter().filter(is_named).map(|name| dir.join(name)).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn search(dirs: &[&Path]) -> Search {
        Search { path: std::env::join_paths(dirs).unwrap(), ..Search::default() }
    }

    fn found(name: &str, search: &Search) -> Option<PathBuf> {
        find_program(&[name.to_owned()], search)
    }

    #[test]
    fn a_real_program_is_preferred_to_a_shim_before_it() {
        let home = tempfile::tempdir().unwrap();
        let (shims, bin) = (home.path().join("pyenv/shims"), home.path().join("bin"));
        program(&shims.join("python3"), "#!/bin/sh\n");
        program(&home.path().join("pyenv/versions/3.9/bin/python3"), "elf");
        fs::write(home.path().join("pyenv/version"), "3.9\n").unwrap();
        let only = search(&[&shims]);
        assert_eq!(found("python3", &only), Some(home.path().join("pyenv/versions/3.9/bin/python3")));
        program(&bin.join("python3"), "elf");
        assert_eq!(found("python3", &search(&[&shims, &bin])), Some(bin.join("python3")));
    }

    #[test]
    fn a_proxy_of_rustup_is_resolved_to_the_default_toolchain() {
        let home = tempfile::tempdir().unwrap();
        let bin = home.path().join(".cargo/bin");
        program(&bin.join("rustup"), "elf");
        std::os::unix::fs::symlink("rustup", bin.join("rustc")).unwrap();
        let rustc = |name: &str| home.path().join(".rustup/toolchains").join(name).join("bin/rustc");
        program(&rustc("stable-x"), "elf");
        program(&rustc("nightly-x"), "elf");
        fs::write(home.path().join(".rustup/settings.toml"), "default_toolchain = 'stable-x'").unwrap();
        let mut here = search(&[&bin]);
        assert_eq!(found("rustc", &here), Some(rustc("stable-x")));
        here.rustup_toolchain = Some("nightly".into());
        assert_eq!(found("rustc", &here), Some(rustc("nightly-x")));
    }

    #[test]
    fn the_prefix_of_a_program_is_shown_but_never_a_home() {
        let home = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(home.path()).unwrap();
        let (kotlin, mine) = (home.join("kotlin/bin/kotlinc"), home.join("bin/mine"));
        program(&kotlin, "");
        program(&mine, "");
        assert_eq!(visible_root(&kotlin, Some(&home)), Some(home.join("kotlin")));
        assert_eq!(visible_root(&mine, Some(&home)), Some(mine));
        assert_eq!(visible_root(Path::new("/usr/bin/env"), Some(&home)), None);
    }

    #[test]
    fn missing_and_not_executable_programs_are_not_found() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("cc"), "").unwrap();
        assert_eq!(found("cc", &search(&[dir.path()])), None);
        assert_eq!(found("cc", &Search::default()), None);
    }
}
