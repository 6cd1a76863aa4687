//! Detects whether a toolchain may have changed since it was identified. Every run does this, so no file is
//! read, and a directory of a package manager is listed only to expand a `*`.

use super::{
    locate::{self, Search},
    modules::Modules,
    tools::find_tools,
};
use kopek_base::{Digest, DigestFields, Stamp};
use kopek_package::language::{Language, MissingToolchain};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The package managers' lists of installed packages: a change there may affect a toolchain.
const PACKAGES: [&str; 6] = [
    // Written before and after the files of each package; `status` is written at the end of an installation.
    "/var/lib/dpkg/updates",
    "/var/lib/dpkg/status",
    "/var/lib/rpm/rpmdb.sqlite",
    "/usr/lib/sysimage/rpm/rpmdb.sqlite",
    "/lib/apk/db/installed",
    "/var/lib/pacman/local",
];

/// The current state of a toolchain, without running or reading it.
pub struct ToolchainLook {
    /// A digest of the stamps of a row's tools, of their parts, of the directories that they search, of modules, and of
    /// the package list. It is valid on this machine only.
    pub guard: Digest,
    pub(crate) modules: Modules,
}

/// Computes the current state of a row's toolchain.
pub fn look_at_toolchain(language: &Language, search: &Search) -> Result<ToolchainLook, MissingToolchain> {
    let tools = find_tools(language, search)?;
    let stamp = |path: &Path| match Stamp::of_path(path) {
        Ok(stamp) => Ok(stamp),
        Err(error) => Err(MissingToolchain::new(language, format!("look at {}: {error}", path.display()))),
    };
    let mut fields = DigestFields::new("guard").with("row", language.digest().as_bytes());
    for path in tools.values().map(PathBuf::as_path).chain(locate::c_library()) {
        fields = fields.with("tool", path.as_os_str().as_encoded_bytes());
        fields = fields.with("stamp", &stamp(path)?.to_bytes());
    }
    let real = locate::real_paths(tools.values());
    let prefixes = prefixes(&real);
    let searched =
        [existing_below(&prefixes, &language.surroundings), locate::existing_paths(&language.needs)].concat();
    let modules = Modules::below(&searched);
    let places = [
        searched,
        existing_below(&prefixes, &language.parts),
        locate::visible_roots(&real, search),
        PACKAGES.map(PathBuf::from).into(),
    ];
    for path in places.concat() {
        // A file that disappears in the meantime is a change, too.
        let stamp = Stamp::of_path(&path).map(Stamp::to_bytes).unwrap_or_default();
        fields = fields.with("place", path.as_os_str().as_encoded_bytes()).with("stamp", &stamp);
    }
    let guard = fields.with("modules", modules.stamps().as_bytes()).digest();
    Ok(ToolchainLook { guard, modules })
}

/// The files of a row's `parts` that exist.
pub(super) fn parts(language: &Language, tools: &BTreeMap<String, PathBuf>) -> Vec<PathBuf> {
    existing_below(&prefixes(&locate::real_paths(tools.values())), &language.parts)
}

/// The prefixes under which tools were installed: `/usr` for `/usr/bin/gcc`.
fn prefixes(real: &[PathBuf]) -> Vec<PathBuf> {
    let mut prefixes: Vec<PathBuf> =
        real.iter().filter_map(|tool| Some(tool.parent()?.parent()?.to_owned())).collect();
    prefixes.sort();
    prefixes.dedup();
    prefixes
}

/// The paths that exist; a relative path is below each prefix.
fn existing_below(prefixes: &[PathBuf], paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for path in paths {
        if path.is_absolute() {
            all.push(path.clone());
        } else {
            all.extend(prefixes.iter().map(|prefix| prefix.join(path)));
        }
    }
    let mut found = locate::existing_paths(&all);
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::language::LanguageTable;
    use std::{fs, fs::Permissions, os::unix::fs::PermissionsExt, time::SystemTime};

    struct Home(tempfile::TempDir);

    impl Home {
        fn at(&self, path: &str) -> PathBuf {
            self.0.path().join(path)
        }

        fn write(&self, path: &str, text: &str) {
            fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
            fs::write(self.at(path), text).unwrap();
            fs::set_permissions(self.at(path), Permissions::from_mode(0o755)).unwrap();
        }

        fn guard(&self) -> Digest {
            let row = LanguageTable::embedded().get("python3").unwrap().clone();
            let (parts, surroundings) = (vec!["lib/*/main.py".into()], vec!["lib/*/site-packages".into()]);
            let search = Search { path: self.at("bin").into(), ..Search::default() };
            look_at_toolchain(&Language { parts, surroundings, ..row }, &search).unwrap().guard
        }
    }

    fn home() -> Home {
        let home = Home(tempfile::tempdir().unwrap());
        home.write("bin/python3", "tool");
        home.write("lib/python3.1/main.py", "part");
        home.write("lib/python3.1/site-packages/one.py", "module");
        home.write("lib/python3.1/site-packages/pack/two.py", "module");
        home
    }

    #[test]
    fn a_tool_part_or_module_edited_in_place_with_its_old_size_and_time_is_noticed() {
        let home = home();
        let module = "lib/python3.1/site-packages/pack/two.py";
        for path in ["bin/python3", "lib/python3.1/main.py", module] {
            let (before, modified) = (home.guard(), fs::metadata(home.at(path)).unwrap().modified().unwrap());
            assert_eq!(home.guard(), before);
            let turned: Vec<u8> = fs::read(home.at(path)).unwrap().into_iter().rev().collect();
            fs::write(home.at(path), turned).unwrap();
            let file = fs::File::options().write(true).open(home.at(path)).unwrap();
            file.set_modified(modified).unwrap();
            assert_ne!(home.guard(), before, "{path}");
        }
    }

    #[test]
    fn an_installed_or_removed_module_is_noticed_and_a_cache_of_one_is_not() {
        let home = home();
        home.write("lib/python3.1/site-packages/pack/__pycache__/two.pyc", "cache");
        let before = home.guard();
        home.write("lib/python3.1/site-packages/pack/__pycache__/two.pyc", "another");
        assert_eq!(home.guard(), before);
        home.write("lib/python3.1/site-packages/pack/three.py", "installed");
        let with_three = home.guard();
        assert_ne!(with_three, before);
        // Even if the directory's time is set back.
        fs::remove_file(home.at("lib/python3.1/site-packages/pack/three.py")).unwrap();
        let dir = fs::File::open(home.at("lib/python3.1/site-packages/pack")).unwrap();
        dir.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        assert!(![before, with_three].contains(&home.guard()));
    }

    #[test]
    fn a_directory_of_modules_that_appears_is_noticed() {
        let home = home();
        let before = home.guard();
        home.write("lib/python3.2/site-packages/one.py", "module");
        assert_ne!(home.guard(), before);
    }
}
