//! Programs that look alike: copies are found under every disguise, and others are not taken for copies.

#[path = "similar/disguises.rs"]
mod disguises;

use disguises::DISGUISES;
use kopek::{
    language::LanguageTable,
    render::{Page, similar_document, similar_page},
    similar::{
        ComparedFile, ComparedProgram, Comparison, SimilarPair, SimilarityOptions, compare_programs,
        compare_with_earlier,
    },
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn file(name: &str, text: &str) -> ComparedFile {
    let table = LanguageTable::embedded();
    let ending = &name[name.rfind('.').unwrap()..];
    let language = table.languages().iter().find(|language| language.endings.iter().any(|own| own == ending));
    ComparedFile { path: name.into(), text: text.into(), lexer: language.unwrap().lexer.clone().unwrap() }
}

fn program(name: &str, file: ComparedFile) -> ComparedProgram {
    ComparedProgram { name: name.into(), files: vec![file] }
}

/// Programs that were written without knowing of each other, for one problem in four languages.
fn independent_files() -> Vec<ComparedFile> {
    let mut names: Vec<_> =
        fs::read_dir(root().join("testdata/similar")).unwrap().map(|e| e.unwrap().path()).collect();
    names.sort();
    let read = |path: &std::path::PathBuf| {
        file(path.file_name().unwrap().to_str().unwrap(), &fs::read_to_string(path).unwrap())
    };
    names.iter().map(read).collect()
}

/// Every program and its copies; the name of each begins with the one it comes from.
fn class_with_copies() -> Vec<ComparedProgram> {
    let mut all = Vec::new();
    for own in independent_files() {
        all.push(program(&format!("{} original", own.path), own.clone()));
        for (name, disguise) in DISGUISES {
            let text = disguise(&own.text, &own.lexer);
            all.push(program(&format!("{} {name}", own.path), ComparedFile { text, ..own.clone() }));
        }
    }
    all
}

/// All pairs of the class with copies.
pub fn class_of_copies() -> Comparison {
    compare_programs(class_with_copies(), &[], SimilarityOptions::default())
}

fn everything(programs: Vec<ComparedProgram>) -> Comparison {
    compare_programs(programs, &[], SimilarityOptions { min: 0.0, max: usize::MAX })
}

fn names(pair: &SimilarPair) -> (&str, &str) {
    (&pair.left, &pair.right)
}

/// Whether one of two is a copy of the other, or both of a third.
fn are_copies((left, right): (&str, &str)) -> bool {
    left.split(' ').next() == right.split(' ').next()
}

#[expect(clippy::fn_params_excessive_bools, reason = "a value of a field")]
fn likenesses(all: &Comparison, copies: bool) -> Vec<f64> {
    let chosen = all.pairs.iter().filter(|pair| are_copies(names(pair)) == copies);
    chosen.map(|pair| pair.likeness).collect()
}

/// All pairs of different texts of one program.
fn count_copies(class: &[ComparedProgram]) -> usize {
    let mut texts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for program in class {
        let original = program.name.split(' ').next().unwrap();
        texts.entry(original).or_default().insert(&program.files[0].text);
    }
    texts.values().map(|texts| texts.len() * (texts.len() - 1) / 2).sum()
}

#[track_caller]
fn assert_parted(class: Vec<ComparedProgram>, what: &str) {
    let expected_copies = count_copies(&class);
    let all = &everything(class);
    let copies = likenesses(all, true);
    assert_eq!(copies.len(), expected_copies, "{what}: some copies share nothing");
    let min = copies.into_iter().fold(1.0, f64::min);
    let max = likenesses(all, false).into_iter().fold(0.0, f64::max);
    assert!(min > max + 0.1, "{what}: a copy has {min:.2}, independent programs {max:.2}");
}

#[test]
fn every_copy_in_every_disguise_ranks_above_all_independent_programs() {
    assert!(independent_files().len() >= 14);
    assert_parted(class_with_copies(), "all disguises");
}

#[test]
fn a_single_disguise_hides_no_copy() {
    let class = class_with_copies();
    for (disguise, _) in DISGUISES {
        let is_chosen = |program: &&ComparedProgram| {
            ["original", disguise].iter().any(|kind| program.name.ends_with(&format!(" {kind}")))
        };
        let some: Vec<ComparedProgram> = class.iter().filter(is_chosen).cloned().collect();
        assert!(count_copies(&some) > 7, "{disguise}");
        assert_parted(some, disguise);
    }
}

#[test]
fn independent_programs_are_no_pairs() {
    let programs = independent_files().into_iter().map(|file| program(&file.path.clone(), file)).collect();
    let all = compare_programs(programs, &[], SimilarityOptions::default());
    assert_eq!((all.pairs.len(), all.clusters.len()), (0, 0));
}

#[test]
fn copies_of_one_program_hang_together() {
    let class = class_with_copies();
    let all = compare_programs(class, &[], SimilarityOptions { min: 0.6, max: usize::MAX });
    assert_eq!(all.clusters.len(), independent_files().len());
    assert!(all.clusters.iter().all(|cluster| cluster.len() == 7));
}

/// A long part, and behind it something short of one's own.
fn with_common_part(common: &str, own: &ComparedFile) -> ComparedProgram {
    program(&own.path, ComparedFile { text: format!("{common}\n{}", own.text), ..own.clone() })
}

#[test]
fn code_given_to_all_does_not_count() {
    let mut files = independent_files();
    files.retain(|file| file.path.ends_with(".cpp"));
    let (given, others) = files.split_first().unwrap();
    let class: Vec<ComparedProgram> = others.iter().map(|own| with_common_part(&given.text, own)).collect();
    let options = SimilarityOptions { min: 0.0, max: 100 };
    let likeness = |skeleton: &[ComparedFile]| {
        let all = compare_programs(class.clone(), skeleton, options);
        all.pairs.iter().map(|pair| pair.likeness).fold(0.0, f64::max)
    };
    let (with, without) = (likeness(&[]), likeness(std::slice::from_ref(given)));
    assert!(with > 0.5 && without < 0.2, "{with} {without}");
}

/// Sources of earlier years, called by their names.
fn earlier_files(prefix: &str) -> Vec<ComparedFile> {
    let named = |file: ComparedFile| ComparedFile { path: format!("{prefix}/{}", file.path), ..file };
    independent_files().into_iter().map(named).collect()
}

#[test]
fn a_copy_of_an_earlier_source_is_found_and_earlier_sources_are_no_pairs() {
    let own = independent_files();
    let (_, disguise) = DISGUISES[0];
    let copy = ComparedFile { text: disguise(&own[0].text, &own[0].lexer), ..own[0].clone() };
    let class = vec![program("ada", copy)];
    // Many old copies of one solution do not make it common.
    let mut earlier = earlier_files("2023");
    earlier.extend((0..20).map(|n| ComparedFile { path: format!("2022/{n}"), ..own[0].clone() }));
    let all = compare_with_earlier(class, earlier, &[], SimilarityOptions::default());
    let compared = all.earlier.unwrap();
    assert_eq!((compared.compared, all.pairs.len()), (own.len() + 20, 0));
    let [found] = compared.matches.as_slice() else { panic!("{:?}", compared.matches) };
    assert_eq!((found.name.as_str(), &found.source), ("ada", &format!("2023/{}", own[0].path)));
    assert!(found.share > 0.9 && found.copies.len() == 20, "{}", found.share);
    assert_eq!(found.also_in, 0);
}

#[test]
fn participants_near_the_same_earlier_source_are_named_together() {
    let own = independent_files();
    let class = ["ada", "bob", "eve"].iter().zip([0, 0, 1]).map(|(name, at)| program(name, own[at].clone()));
    let all = compare_with_earlier(class.collect(), earlier_files("2023"), &[], SimilarityOptions::default());
    let compared = all.earlier.unwrap();
    let near: Vec<_> = compared
        .near_the_same_source()
        .into_iter()
        .map(|(source, names)| (source.file.path.clone(), names))
        .collect();
    assert_eq!(near, [(format!("2023/{}", own[0].path), vec!["ada", "bob"])]);
    let also_in =
        |name: &str| compared.matches.iter().find(|found| found.name == name).map(|found| found.also_in);
    assert_eq!((also_in("ada"), also_in("eve")), (Some(1), Some(0)));
    // What everybody was given is no match.
    let given = compare_with_earlier(
        vec![program("ada", own[0].clone()), program("eve", own[1].clone())],
        earlier_files("2023"),
        &own[..1],
        SimilarityOptions::default(),
    );
    assert!(given.earlier.unwrap().matches.iter().all(|found| found.name == "eve"));
}

#[test]
fn attempts_of_one_participant_count_as_one() {
    let own = independent_files();
    let class =
        [("ada", 0), ("ada", 0), ("ada", 1), ("bob", 0)].map(|(name, at)| program(name, own[at].clone()));
    let all = compare_programs(class.to_vec(), &[], SimilarityOptions::default());
    assert_eq!((all.pairs.len(), all.compared), (0, 2));
    let identical: Vec<_> = all.identical.iter().map(|same| same.names.clone()).collect();
    assert_eq!(identical, [["ada", "bob"]]);
}

#[test]
fn code_that_nearly_all_share_counts_little() {
    let class = class_with_copies();
    let common = independent_files().into_iter().find(|file| file.path == "anna.cpp").unwrap().text;
    let cpp = |program: &&ComparedProgram| !program.name.contains(".java") && program.name.contains(".cpp");
    let some: Vec<ComparedProgram> = class
        .iter()
        .filter(cpp)
        .filter(|program| !program.name.starts_with("anna") && !program.name.ends_with("padded"))
        .map(|program| {
            with_common_part(
                &common,
                &ComparedFile { path: program.name.clone(), ..program.files[0].clone() },
            )
        })
        .collect();
    let all = everything(some);
    assert!(likenesses(&all, false).into_iter().fold(0.0, f64::max) < 0.35);
    assert!(likenesses(&all, true).into_iter().fold(1.0, f64::min) > 0.5);
}

#[test]
fn passages_name_the_lines_where_they_stand() {
    let own = independent_files().remove(0);
    let copy =
        ComparedFile { path: "copy.cpp".into(), text: format!("int x;\n\n\n{}", own.text), ..own.clone() };
    let all = everything(vec![program("ada", own), program("bob", copy)]);
    let passage = &all.pairs[0].shared.passages[0];
    let [from, to] = passage.left.lines;
    assert_eq!(passage.right.lines, [from + 3, to + 3]);
    assert_eq!(all.pairs[0].shared.left_share, 1.0);
}

#[test]
fn programs_that_are_too_short_are_named() {
    let tiny = |name: &str| program(name, file("a.py", "print(1)"));
    let all = everything(vec![tiny("ada"), tiny("bob")]);
    assert_eq!(all.not_compared.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["ada", "bob"]);
}

#[test]
fn identical_programs_are_one_group_and_one_of_them_has_pairs() {
    let own = file("own.cpp", &fs::read_to_string(root().join("testdata/similar/anna.cpp")).unwrap());
    let near = ComparedFile { text: own.text.replace("coins", "coin"), ..own.clone() };
    let mut class: Vec<_> = ["ada", "bob", "eve", "ada"].map(|name| program(name, own.clone())).into();
    class.push(program("zoe", near));
    class.push(program("zoe", class[4].files[0].clone()));
    let all = everything(class);
    let identical: Vec<_> = all.identical.iter().map(|same| same.names.clone()).collect();
    assert_eq!(identical, [["ada", "bob", "eve"]]);
    assert_eq!(all.pairs.iter().map(names).collect::<Vec<_>>(), [("ada", "zoe")]);
    assert_eq!(all.clusters.len(), 1, "{:?}", all.clusters);
    let text = similar_document(&all).to_text(Page::default());
    assert!(text.find("identical: ada, bob, eve") < text.find("\none "), "{text}");
    assert!(similar_page("class", &all).contains("Identical: <strong>ada, bob, eve</strong>"));
}

/// A folder of hand-ins with one copy, and names that would be markup.
fn class_folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for own in independent_files() {
        fs::write(dir.path().join(&own.path), &own.text).unwrap();
    }
    let emma = fs::read_to_string(root().join("testdata/similar/emma.py")).unwrap();
    let hostile = format!("# </pre><script>alert(1)</script>\u{202e}\n{}", emma.replace("coins", "muenzen"));
    fs::write(dir.path().join("<img src=x onerror=alert(1)>.py"), hostile).unwrap();
    fs::write(dir.path().join("zoe.txt"), "not a program").unwrap();
    dir
}

fn kopek(args: &[&str], dir: &Path) -> (i32, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_kopek")).args(args).current_dir(dir).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap(), text(out.stdout), text(out.stderr))
}

#[test]
fn the_command_shows_the_copy_in_every_format() {
    let dir = class_folder();
    let (code, text, _) = kopek(&["similar", "."], dir.path());
    assert_eq!(code, 0);
    assert!(text.starts_with("15 programs compared\n") && text.contains("emma"), "{text}");
    assert!(text.contains("not compared: zoe: no file is in a known language"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let (_, _, said) = kopek(&["similar", ".", "--out", "out"], dir.path());
    assert!(said.contains("wrote similar.html"), "{said}");
    let json = fs::read_to_string(dir.path().join("out/similar.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["pairs"].as_array().unwrap().len(), 1);
    assert_eq!(json["pairs"][0]["right"], "emma");
    assert_eq!(json["pairs"][0]["right_share"], 1.0);
    assert_eq!(json["clusters"][0].as_array().unwrap().len(), 2);
    let page = fs::read_to_string(dir.path().join("out/similar.html")).unwrap();
    assert!(
        page.contains("&lt;/pre&gt;&lt;script&gt;alert(1)") && !page.contains("<img"),
        "markup was let through"
    );
    assert_eq!(page.matches("<script>").count(), 1);
    assert!(!page.contains('\u{202e}'));
}

#[test]
fn a_request_that_cannot_be_done_names_the_remedy() {
    let dir = class_folder();
    fs::create_dir(dir.path().join("none")).unwrap();
    fs::write(dir.path().join("none/a.txt"), "x").unwrap();
    let refusals: [(&[&str], &str); 4] = [
        (&["similar", "nowhere"], "nowhere"),
        (&["similar", "none"], "no programs to compare"),
        (&["similar", ".", "--skeleton", "gone.py"], "read skeleton gone.py"),
        (&["similar", ".", "--skeleton", "zoe.txt"], "no file is in a known language"),
    ];
    for (args, part) in refusals {
        let (code, _, said) = kopek(args, dir.path());
        assert!(code == 2 && said.contains(part), "{args:?}: {code} {said}");
    }
}
