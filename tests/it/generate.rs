//! Chapter: generate. Recipes become test sets: whole, validated, the same everywhere.

use crate::{events::Changes, fake_machine::fake_machine, scratch::memory_dir, toolchain_search::search};
use kopek::{
    base::Digest,
    exec::{Engine, local_executor},
    generate::{self, Generated, GenerationMode, lock},
    language::LanguageTable,
    machine::Machine,
    package::{self, Level, Message, NamedFiles, Package},
    sandbox::Sandbox,
    store::Store,
};
use kopek_fakes as fake;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::atomic::AtomicBool,
    time::SystemTime,
};
use tempfile::TempDir;

/// A package in a workspace of its own.
struct Workspace {
    home: TempDir,
    machine: Machine,
}

const RECIPE: &str = "generators/generators.yaml";
/// Prints its arguments, one to a line.
const ECHO: (&str, &str) = ("generators/echo.sh", "if len(args) > 0: print column(args)\n");
/// Takes numbers up to the first argument, one to a line.
const NUMBERS: (&str, &str) = (
    "input_validators/numbers.py",
    "say \"too great or no number\"\nmost = 10000000000\nif len(args) > 0: most = args[0]\n\
     if len(input) < 1 or text != column(input) + \"\\n\": refuse\n\
     if max(input) > most or min(input) < 0: refuse\naccept\n",
);
/// Prints the sum.
const SUM: (&str, &str) = ("submissions/accepted/sum.py", "print sum(input)\n");

/// The same for a real machine.
const REAL_ECHO: (&str, &str) = (ECHO.0, "for word; do echo \"$word\"; done\n");
const REAL_NUMBERS: (&str, &str) = (
    NUMBERS.0,
    "import sys\nmost = int(sys.argv[1]) if len(sys.argv) > 1 else 10**10\ntext = sys.stdin.read()\n\
     lines = text.split('\\n')\nok = lines.pop() == '' and all(l.isdigit() and int(l) <= most for l in lines)\n\
     print('too great or no number', file=sys.stderr)\nsys.exit(42 if ok and lines else 43)\n",
);
const REAL_SUM: (&str, &str) = (SUM.0, "import sys\nprint(sum(int(x) for x in sys.stdin.read().split()))\n");

/// On a machine that runs no programs: see `fake_machine`.
fn workspace(files: &[(&str, &str)], recipe: &str) -> Workspace {
    let home = memory_dir();
    let machine = fake_machine(home.path());
    workspace_on(Workspace { home, machine }, files, recipe)
}

fn real_workspace(files: &[(&str, &str)], recipe: &str) -> Workspace {
    let home = tempfile::tempdir().unwrap();
    let sandbox = Sandbox::open(Path::new(env!("CARGO_BIN_EXE_kopek"))).unwrap();
    let store = Store::open(&home.path().join("store")).unwrap();
    let machine = Machine::new(sandbox, store, LanguageTable::embedded(), search(), vec![0, 0]);
    workspace_on(Workspace { home, machine }, files, recipe)
}

fn workspace_on(workspace: Workspace, files: &[(&str, &str)], recipe: &str) -> Workspace {
    workspace.write("problem.yaml", "problem_format_version: 2025-09\nname: P\nuuid: u\n");
    workspace.write(RECIPE, recipe);
    for (path, text) in files {
        workspace.write(path, text);
    }
    workspace
}

/// Echo, the validator of numbers, the solution that adds.
fn sums(recipe: &str) -> Workspace {
    workspace(&[ECHO, NUMBERS, SUM], &format!("solution: /submissions/accepted/sum.py\n{recipe}"))
}

fn real_sums(recipe: &str) -> Workspace {
    let files = [REAL_ECHO, REAL_NUMBERS, REAL_SUM];
    real_workspace(&files, &format!("solution: /submissions/accepted/sum.py\n{recipe}"))
}

impl Workspace {
    fn dir(&self) -> PathBuf {
        self.home.path().join("workspace/package")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.dir().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.dir().join("data").join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
    }

    fn generate(&self) -> Generated {
        self.with(GenerationMode::Stale, |_| ())
    }

    fn with(&self, how: GenerationMode, change: impl FnOnce(&mut Package)) -> Generated {
        let mut package = package(&self.dir());
        change(&mut package);
        let stop = AtomicBool::new(false);
        let executor = match self.machine.name.as_str() {
            "fake" => fake::executor(&self.machine),
            _ => local_executor(&self.machine),
        };
        let engine = Engine::new(&self.machine, &executor, &stop);
        generate::generate(&package, &engine, how, &mut |_| ()).unwrap()
    }

    /// The findings of a generation, with their lines.
    fn wrong(&self) -> Vec<(u32, String)> {
        complaints(&self.generate(), Level::Error)
    }

    fn ages(&self) -> BTreeMap<PathBuf, SystemTime> {
        let files = walkdir::WalkDir::new(self.dir().join("data")).into_iter().map(Result::unwrap);
        let files = files.filter(|entry| entry.file_type().is_file());
        files.map(|e| (e.path().to_owned(), e.metadata().unwrap().modified().unwrap())).collect()
    }
}

fn complaints(done: &Generated, level: Level) -> Vec<(u32, String)> {
    let found = done.findings.iter().filter(|finding| finding.level == level);
    assert!(done.faults.is_empty(), "{:?}", done.faults);
    let line = |finding: &Message| finding.place().unwrap().line.unwrap_or(0);
    found.map(|finding| (line(finding), finding.what.clone())).collect()
}

fn sound(done: Generated) -> Generated {
    assert!(done.is_sound() && done.findings.is_empty(), "{:?} {:?}", done.findings, done.faults);
    done
}

/// One complaint, at this line, that says this.
fn says(found: &[(u32, String)], line: u32, what: &str) {
    assert!(found.len() == 1 && found[0].0 == line && found[0].1.contains(what), "{found:?}");
}

#[test]
fn a_test_set_is_made_validated_and_answered() {
    let workspace = sums(
        "data:
  sample:
    data:
      '1': {in: '1', ans: '1'}
  secret:
    test_group.yaml: {input_validator_args: ['100']}
    data:
      - a: echo.sh 3 4
      - b:
          data:
            - c: {generate: 'echo.sh {count} 5', count: 2}
",
    );
    let done = sound(workspace.generate());
    assert_eq!((done.made, done.reused, done.failed), (4, 0, 0));
    assert_eq!(workspace.text("sample/1.ans"), "1\n");
    assert_eq!(
        (workspace.text("secret/1-a.in"), workspace.text("secret/1-a.ans")),
        ("3\n4\n".into(), "7\n".into())
    );
    assert_eq!(workspace.text("secret/1-b/3-c-2.ans"), "7\n");
    assert_eq!(workspace.text("secret/test_group.yaml"), "{input_validator_args: ['100']}\n");
    assert_eq!(done.files.len(), 9);
    assert_eq!(done.files["data/secret/1-a.in"], Digest::of(b"3\n4\n"));
}

#[test]
fn constants_are_put_into_the_sources_of_generators() {
    let generator = ("generators/most.sh", "print {{most}}\n");
    let recipe = "solution: /submissions/accepted/sum.py\ndata: {secret: {data: {a: most.sh}}}";
    let workspace = workspace(&[generator, NUMBERS, SUM], recipe);
    let yaml =
        |max| format!("problem_format_version: 2025-09\nname: P\nuuid: u\nconstants: {{most: {max}}}\n");
    for max in [7, 8] {
        workspace.write("problem.yaml", &yaml(max));
        sound(workspace.generate());
        assert_eq!(workspace.text("secret/a.in"), format!("{max}\n"), "another constant, another generator");
    }
}

#[test]
fn a_child_that_is_no_case_and_no_directory_is_refused() {
    for (rule, line, what, remedy) in [
        ("  bad: {data: {a: {in: x}}}", 3, "`bad` is not a directory of `data/`", "there are sample, secret"),
        ("  sample:\n    data:\n      '1':", 5, "`1` has no rule", "give it `generate`, `copy` or `in`"),
        (
            "  secret:\n    data:\n      a:\n        in: '1'\n        input: echo.sh 1",
            7,
            "unknown key `input` of a test case",
            "known are copy, generate",
        ),
    ] {
        let workspace = sums(&format!("data:\n{rule}\n"));
        let done = workspace.generate();
        says(&complaints(&done, Level::Error), line, what);
        let todo = done.findings.iter().find_map(|finding| finding.todo.clone()).unwrap();
        assert!(todo.starts_with(remedy), "{todo}");
    }
    let workspace = sums("data: {secret: {data: {a: {input: echo.sh 1}}}}");
    assert!(!workspace.generate().is_sound(), "it is no empty directory");
}

#[test]
fn data_in_bad_is_named_with_where_it_belongs() {
    let workspace = sums("data: {secret: {data: {a: echo.sh 1}}}");
    sound(workspace.generate());
    workspace.write("data/bad/word.in", "x\n");
    let (_, findings) = kopek::package::read_tests(&package(&workspace.dir())).unwrap();
    let hints: Vec<_> = findings.iter().filter_map(|finding| finding.todo.as_deref()).collect();
    assert!(
        hints.iter().any(|hint| hint.starts_with("move its cases to data/invalid_input")),
        "{findings:?}"
    );
}

#[test]
fn a_recipe_without_data_is_not_guessed_at() {
    let workspace = workspace(&[ECHO], "secret:\n  3.in: echo.sh 3\n");
    says(&workspace.wrong(), 1, "`secret` is outside `data`");
}

#[test]
fn groups_of_legacy_are_written_under_their_own_name_and_heeded() {
    let recipe = "data:
  secret:
    testdata.yaml: {input_validator_flags: '5', on_reject: continue}
    data: {a: echo.sh 4, b: echo.sh 6}
";
    let workspace = sums(recipe);
    workspace.write("problem.yaml", "name: P\n");
    says(&workspace.wrong(), 5, "secret/b");
    assert_eq!(workspace.text("secret/testdata.yaml"), "{input_validator_flags: '5', on_reject: continue}\n");
}

#[test]
fn existing_cases_are_not_made_again() {
    let workspace = sums("data: {secret: {data: {a: echo.sh 1, b: echo.sh 2}}}");
    sound(workspace.generate());
    let (first, files) = (workspace.ages(), workspace.with(GenerationMode::Again, |_| ()).files);
    let again = sound(workspace.generate());
    assert_eq!((again.made, again.reused), (0, 2));
    assert_eq!((workspace.ages(), again.files), (first, files));
}

#[test]
fn whatever_changes_a_case_makes_it_stale() {
    let recipe = "data: {secret: {data: {a: echo.sh 1, b: {copy: manual/b}}}}";
    let workspace = sums(recipe);
    workspace.write("generators/manual/b.in", "5\n");
    sound(workspace.generate());
    let made = |workspace: &Workspace| sound(workspace.generate()).made;
    workspace.write("generators/manual/b.in", "6\n");
    assert_eq!((made(&workspace), workspace.text("secret/b.ans")), (1, "6\n".into()));
    workspace.write(ECHO.0, "print 9\n");
    assert_eq!((made(&workspace), workspace.text("secret/a.ans")), (1, "9\n".into()));
    workspace.write(NUMBERS.0, &format!("{}# the same, but who knows\n", NUMBERS.1));
    assert_eq!(made(&workspace), 2);
    workspace.write(SUM.0, "print 0\n");
    assert_eq!((made(&workspace), workspace.text("secret/a.ans")), (2, "0\n".into()));
    fs::write(workspace.dir().join("data/secret/a.in"), "77\n").unwrap();
    let done = workspace.generate();
    assert!(!done.is_sound() && done.failed == 1 && workspace.text("secret/a.in") == "77\n", "{done:?}");
    fs::remove_file(workspace.dir().join("data/secret/a.in")).unwrap();
    assert_eq!((made(&workspace), workspace.text("secret/a.in")), (1, "9\n".into()));
    fs::remove_file(workspace.dir().join("data/secret/a.ans")).unwrap();
    assert_eq!(made(&workspace), 1);
}

#[test]
fn files_without_a_rule_are_removed_unless_made_by_hand() {
    let workspace =
        sums("data: {secret: {data: {a: echo.sh 1, b: echo.sh 2, g: {data: {c: echo.sh 3, d: echo.sh 4}}}}}");
    sound(workspace.generate());
    workspace.write("data/secret/mine.in", "8\n");
    workspace.write("data/secret/g/d.ans", "changed by hand\n");
    workspace.write(RECIPE, "solution: /submissions/accepted/sum.py\ndata: {secret: {data: {a: echo.sh 1}}}");
    let done = workspace.generate();
    assert_eq!(done.removed.len(), 5, "{:?}", done.removed);
    let left: Vec<_> =
        workspace.ages().into_keys().map(|path| path.file_name().unwrap().to_owned()).collect();
    assert_eq!(left, ["a.ans", "a.in", "d.ans", "mine.in"]);
    let warnings: Vec<_> = done.findings.iter().map(|finding| finding.to_string()).collect();
    assert!(
        warnings.iter().any(|t| t.contains("data/secret/mine.in: is a case without a rule")),
        "{warnings:?}"
    );
    assert!(
        warnings.iter().any(|t| t.contains("data/secret/g/d.ans: was generated by a rule that is gone")),
        "{warnings:?}"
    );
}

#[test]
fn a_committed_sample_is_never_cleaned_away() {
    let workspace =
        sums("data: {sample: {data: {s: {in: '1', ans: '1'}}}, secret: {data: {a: echo.sh 1 1}}}");
    workspace.write("data/sample/s.in", "1\n");
    workspace.write("data/sample/s.ans", "1\n");
    sound(workspace.generate());
    let done = generate::clean(&package(&workspace.dir()), &workspace.machine.store).unwrap();
    assert_eq!(done.removed, ["data/secret/a.ans", "data/secret/a.in"]);
    assert_eq!(workspace.ages().len(), 2);
}

#[test]
fn a_case_in_the_wrong_group_is_found_where_it_is_put_there() {
    let workspace = sums(
        "data:
  secret:
    data:
      one: {test_group.yaml: {input_validator_args: {numbers: ['9']}}, data: {small: echo.sh 9, big: echo.sh 10}}
      two: {data: {huge: echo.sh 500}}
      x-three:
        test_group.yaml: {input_validator_args: ['100']}
        include: [small, huge]
",
    );
    let found = workspace.wrong();
    assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [5, 9], "{found:?}");
    assert!(found[0].1.contains("secret/one/big: input validator `numbers 9` exited with 43: too great"));
    assert!(found[1].1.contains("secret/x-three/huge: input validator `numbers 100`"));
    assert_eq!(workspace.text("secret/x-three/small.in"), "9\n");
    assert!(!workspace.dir().join("data/secret/two/huge.in").exists(), "what is refused is not put anywhere");
}

#[test]
fn invalid_inputs_must_be_refused() {
    let workspace = sums("data: {invalid_input: {data: {bad: {in: x}, good: {in: '1'}}}}");
    says(&workspace.wrong(), 2, "invalid_input/good: every input validator accepts");
    assert!(workspace.dir().join("data/invalid_input/bad.in").exists());
    assert!(!workspace.dir().join("data/invalid_input/bad.ans").exists());
}

#[test]
fn a_generator_is_watched() {
    let generators = [
        ("crash.py", "import sys\nsys.exit('no luck')\n", "exited with 1: no luck"),
        (
            "dice.py",
            "import os\nprint(os.getpid(), os.urandom(9).hex())\n",
            "is not deterministic: a second run with the same arguments made other files",
        ),
        ("mute.py", "", "wrote nothing"),
        ("flood.py", "s = '7' * 10**7\nfor i in range(40): print(s, end='')\n", "wrote more than 256 MiB"),
        ("broken.cpp", "int main() { return x; }\n", "`broken.cpp` does not compile"),
        ("none.xyz", "", "`none.xyz` does not compile"),
    ];
    for (name, source, what) in generators {
        let recipe = format!("data:\n  secret:\n    data:\n      a: {name} {{seed}}\n");
        let workspace = real_workspace(&[(&format!("generators/{name}"), source), REAL_SUM], &recipe);
        let found = workspace.wrong();
        assert!(found.len() == 1 && found[0].1.contains(what), "{name}: {found:?}");
        assert!(!workspace.dir().join("data/secret/a.in").exists(), "{name}");
        if !what.contains("does not compile") {
            assert_eq!(found[0].0, 4);
            assert!(found[0].1.contains("secret/a") && found[0].1.contains(name), "{found:?}");
        }
    }
}

#[test]
fn a_generator_that_ignores_its_seed_is_reported() {
    let workspace = sums("data: {secret: {data: {a: 'const.sh {seed}', b: 'echo.sh {seed}'}}}");
    workspace.write("generators/const.sh", "print 5\n");
    let done = workspace.generate();
    assert!(done.is_sound());
    says(&complaints(&done, Level::Warning), 2, "`const.sh {seed}` makes the same input for every seed");
    let again = workspace.generate();
    assert_eq!(again.made, 0);
    says(&complaints(&again, Level::Warning), 2, "const.sh");
}

#[test]
fn a_failing_generator_is_tried_with_the_next_seeds() {
    let recipe = "data: {secret: {data: {a: {generate: 'odd.py {seed}', retries: 30}}}}";
    let workspace =
        workspace(&[("generators/odd.py", "if args[0] % 4 != 0: exit 1\nprint args[0]\n"), SUM], recipe);
    let done = workspace.generate();
    assert!(done.is_sound(), "{:?}", done.findings);
    // int(sha512(b"odd.py {seed}").hexdigest(), 16) % 2**31, and on to the next multiple of four
    assert_eq!(workspace.text("secret/a.in"), "70865092\n");
}

#[test]
fn files_come_from_generators_copies_contents_and_links_in_this_order() {
    let workspace = sums(
        "data:
  sample:
    data:
      g: all.py
      c: {generate: all.py, copy: manual/c}
      l: {copy: manual/c, in: '6', in.statement: shown, in.download: {link: in}, yaml: {hint: h}}
",
    );
    workspace.write(
        "generators/all.py",
        "write \"testcase.in\", 1\nwrite \"testcase.ans\", 1\nwrite \"testcase.svg\", 1\n\
         write \"testcase.odd\", 1\nprint \"lost\"\n",
    );
    workspace.write("generators/manual/c.ans", "2\n");
    workspace.write("generators/manual/c.in", "2\n");
    workspace.write("generators/manual/c.files/x.txt", "3\n");
    let done = workspace.generate();
    assert!(done.is_sound(), "{:?}", done.findings);
    let texts = [
        "g.in",
        "g.svg",
        "c.in",
        "c.ans",
        "c.files/x.txt",
        "l.in",
        "l.in.statement",
        "l.in.download",
        "l.yaml",
    ];
    let texts: Vec<_> = texts.map(|file| workspace.text(&format!("sample/{file}"))).into();
    assert_eq!(texts, ["1\n", "1\n", "2\n", "2\n", "3\n", "6\n", "shown\n", "6\n", "{hint: h}\n"]);
    assert!(!workspace.dir().join("data/sample/g.odd").exists());
}

#[test]
fn generators_may_be_files_directories_and_lists() {
    let python = "from lib import WORD\nprint(WORD)\n";
    let files = [
        ("generators/dir/main.py", python),
        ("generators/dir/lib.py", "WORD = 1\n"),
        ("generators/tool.py", python),
        ("generators/lib.py", "WORD = 2\n"),
        ("generators/fast.rs", "fn main() { println!(\"{}\", std::env::args().nth(1).unwrap()) }\n"),
        ("generators/old.c", "#include <stdio.h>\nint main(void) { puts(\"4\"); }\n"),
        REAL_NUMBERS,
        REAL_SUM,
    ];
    let recipe = "generators: {listed: [tool.py, lib.py]}\nsolution: /submissions/accepted/sum.py\n\
                  data: {secret: {data: {a: dir, b: listed, c: fast.rs 3, d: old.c}}}";
    let workspace = real_workspace(&files, recipe);
    sound(workspace.generate());
    let made = ["a", "b", "c", "d"].map(|case| workspace.text(&format!("secret/{case}.ans")));
    assert_eq!(made, ["1\n", "2\n", "3\n", "4\n"]);
}

#[test]
fn answers_of_problems_that_talk_are_empty() {
    let workspace = workspace(&[ECHO], "data: {secret: {data: {a: echo.sh 1}}}");
    let done = workspace.with(GenerationMode::Stale, |package| package.kind.interactive = true);
    assert!(done.is_sound(), "{:?}", done.findings);
    assert_eq!(workspace.text("secret/a.ans"), "");
}

#[test]
fn a_solution_may_read_and_write_named_files() {
    let solution = "write \"g.out\", column(numbers(file(\"g.in\") + file(\"g.in\")))\n";
    let recipe = "solution: /submissions/accepted/f.py\ndata: {secret: {data: {a: echo.sh 1}}}";
    let workspace = workspace(&[ECHO, ("submissions/accepted/f.py", solution)], recipe);
    let named = NamedFiles { input: "g.in".into(), output: "g.out".into() };
    sound(workspace.with(GenerationMode::Stale, |package| package.named_files = Some(named)));
    assert_eq!(workspace.text("secret/a.ans"), "1\n1\n");
}

#[test]
fn a_solution_that_fails_and_an_answer_that_is_refused_are_reported() {
    let crash = sums("data: {secret: {data: {a: echo.sh 1}}}");
    crash.write(SUM.0, "x = 1 / 0\n");
    says(&crash.wrong(), 2, "secret/a: solution `submissions/accepted/sum.py` exited with 1");
    let refused = sums("data: {secret: {data: {a: echo.sh 1}}}");
    let judge = "if text != \"2\\n\" or file(args[1]) != text: refuse\n\
                 if args[2] != \"/box/feedback/\" or file(args[0]) != \"1\\n\": exit 1\naccept\n";
    refused.write("output_validator/judge.py", judge);
    says(&refused.wrong(), 2, "output validator `judge` does not accept the answer");
    refused.write(SUM.0, "print 2\n");
    sound(refused.generate());
    let nobody = workspace(&[ECHO], "data: {secret: {data: {a: echo.sh 1}}}");
    says(&nobody.wrong(), 1, "nothing makes its answer");
}

#[test]
fn without_a_named_solution_an_accepted_one_answers_and_that_is_reported() {
    let workspace = workspace(&[ECHO, SUM], "data: {secret: {data: {a: echo.sh 1 2}}}");
    let done = workspace.generate();
    says(&complaints(&done, Level::Warning), 0, "answers are made by submissions/accepted/sum.py");
    assert_eq!(workspace.text("secret/a.ans"), "3\n");
}

#[test]
fn equal_cases_are_pointed_out_unless_wanted() {
    let workspace = sums(
        "data:
  secret:
    data:
      - a: echo.sh 1 2
      - b: {in: \"1\\n2\"}
      - c: {generate: echo.sh 4, count: 2}
      - g: {include: [a], data: []}
",
    );
    says(
        &complaints(&workspace.generate(), Level::Warning),
        6,
        "secret/2-b has the same input as secret/1-a",
    );
}

#[test]
fn patterns_that_do_not_match_are_reported() {
    let workspace =
        sums("data: {secret: {data: {a: {generate: echo.sh 1 2, match: {in: '^2$', ans: ['[4-9]']}}}}}");
    says(&complaints(&workspace.generate(), Level::Warning), 2, "its `ans` does not match `[4-9]`");
}

#[test]
fn a_lock_reports_by_file_what_became_different() {
    let workspace = sums("data: {secret: {data: {a: echo.sh 1, b: echo.sh 2}}}");
    let done = sound(workspace.generate());
    assert!(!done.locked);
    lock::write(&workspace.dir(), &done.files).unwrap();
    for how in [GenerationMode::Stale, GenerationMode::Again] {
        let same = workspace.with(how, |_| ());
        assert!(same.locked && same.drift.is_empty());
    }
    workspace.write(ECHO.0, "print args[0] * args[0]\n");
    let before = workspace.ages();
    let other = workspace.with(GenerationMode::Again, |_| ());
    let drifted: Vec<_> = other.drift.iter().map(|drift| drift.file.as_str()).collect();
    assert_eq!(drifted, ["data/secret/b.ans", "data/secret/b.in"]);
    assert_eq!(workspace.ages(), before, "a check writes nothing");
}

#[test]
fn data_of_the_lock_needs_no_compiler() {
    let mut workspace = sums("data: {secret: {data: {a: echo.sh 1, a.b: echo.sh 2}}}");
    let done = sound(workspace.generate());
    lock::write(&workspace.dir(), &done.files).unwrap();
    let store = Store::open(&workspace.home.path().join("other-store")).unwrap();
    workspace.machine = Machine::new(
        Sandbox::untried(),
        store,
        LanguageTable::embedded(),
        kopek::toolchains::Search::default(),
        vec![0],
    );
    let (ages, again) = (workspace.ages(), sound(workspace.generate()));
    assert_eq!((again.made, again.reused, again.files), (0, 2, done.files));
    assert!(again.drift.is_empty() && workspace.ages() == ages);
    fs::write(workspace.dir().join("data/secret/a.in"), "3\n").unwrap();
    let other = workspace.generate();
    assert!(!other.is_sound() && other.faults[0].contains("not found"), "{other:?}");
}

#[test]
fn a_broken_link_is_named_with_the_remedy() {
    let workspace = sums("data: {secret: {data: {a: shared.sh}}}");
    std::os::unix::fs::symlink("../../shared.sh", workspace.dir().join("generators/shared.sh")).unwrap();
    says(&workspace.wrong(), 2, "a link to `../../shared.sh`, which is not there; `cp -rL`");
}

#[test]
fn nothing_is_read_or_written_outside_the_workspace() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("x.in"), "1\n").unwrap();
    let linked = sums("data: {secret: {data: {a: {copy: x}}}}");
    std::os::unix::fs::symlink(outside.path().join("x.in"), linked.dir().join("generators/x.in")).unwrap();
    says(&linked.wrong(), 2, "`generators/x.in` is a link that leaves the workspace");
    let through = sums("data: {secret: {data: {a: echo.sh 1}}}");
    fs::create_dir(through.dir().join("data")).unwrap();
    std::os::unix::fs::symlink(outside.path(), through.dir().join("data/secret")).unwrap();
    says(&through.wrong(), 2, "not written through symlinks");
    let whole = sums("data: {secret: {data: {a: echo.sh 1}}}");
    std::os::unix::fs::symlink(outside.path(), whole.dir().join("data")).unwrap();
    let (executor, stop) = (local_executor(&whole.machine), AtomicBool::new(false));
    let engine = Engine::new(&whole.machine, &executor, &stop);
    let refused = generate::ensure(&package(&whole.dir()), &engine, &mut |_| ()).unwrap_err();
    assert!(refused.to_string().contains("data is a symlink"), "{refused}");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn a_recipe_that_cannot_be_read_stops_only_a_package_that_needs_it() {
    let workspace = sums("data: {secret: {data: {a: {generate: echo.sh 1, input: 1}}}}");
    let (executor, stop) = (local_executor(&workspace.machine), AtomicBool::new(false));
    let engine = Engine::new(&workspace.machine, &executor, &stop);
    let ensured = || generate::ensure(&package(&workspace.dir()), &engine, &mut |_| ()).unwrap();
    let missing = ensured();
    assert!(!missing.is_sound() && missing.unused_recipe().is_none());
    workspace.write("data/secret/b.in", "1 2\n");
    assert!(!ensured().is_sound(), "its answer is missing");
    workspace.write("data/secret/b.ans", "3\n");
    let complete = ensured();
    assert!(complete.is_sound() && complete.made == 0, "{:?}", complete.findings);
    assert_eq!(
        complete.unused_recipe().unwrap().to_string(),
        "warning: generators/generators.yaml: is not used (line 2: unknown key `input` of a test case): the test data that is \
         there is judged as it is\nhint: repair the recipe, or remove it"
    );
    says(&workspace.wrong(), 2, "unknown key `input` of a test case");
}

#[test]
fn programs_shared_by_packages_are_links_to_neighbours() {
    let workspace = sums("data: {secret: {data: {a: shared.sh}}}");
    let shared = workspace.home.path().join("workspace/shared.sh");
    fs::write(&shared, "print 5\n").unwrap();
    std::os::unix::fs::symlink("../../shared.sh", workspace.dir().join("generators/shared.sh")).unwrap();
    sound(workspace.generate());
    fs::write(&shared, "print 6\n").unwrap();
    assert_eq!(sound(workspace.generate()).made, 1);
    assert_eq!(workspace.text("secret/a.in"), "6\n");
}

#[test]
fn drafts_of_a_killed_run_are_swept_and_an_unsound_recipe_touches_nothing() {
    let workspace = sums("data: {secret: {data: {a: echo.sh 1}}}");
    workspace.write("data/secret/.kopek-abc123", "half");
    sound(workspace.generate());
    assert!(!workspace.dir().join("data/secret/.kopek-abc123").exists());
    let before = workspace.ages();
    workspace.write(RECIPE, "data: {secret: {data: {b: {generate: echo.sh 1, colour: red}}}}");
    says(&workspace.wrong(), 1, "unknown key `colour`");
    assert_eq!(workspace.ages(), before);
}

#[test]
fn two_at_once_take_turns() {
    let workspace = sums("data: {secret: {data: {a: {generate: 'echo.sh {count}', count: 12}}}}");
    let done = std::thread::scope(|scope| {
        let runs = [0, 1].map(|_| scope.spawn(|| workspace.generate()));
        runs.map(|run| sound(run.join().unwrap()))
    });
    assert_eq!(done[0].made + done[1].made, 12);
    assert_eq!(done[0].files, done[1].files);
}

/// `testdata/recipe/` has everything that recipes can have; `expected.txt` beside it is
/// what BAPCtools (2026.10) makes of it.
#[test]
fn the_same_files_are_made_as_by_bapctools() {
    let workspace = real_workspace(&[], "");
    let specimen = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/recipe");
    for entry in walkdir::WalkDir::new(&specimen).into_iter().map(Result::unwrap) {
        if entry.file_type().is_file() {
            let below = entry.path().strip_prefix(&specimen).unwrap().to_str().unwrap();
            workspace.write(below, &fs::read_to_string(entry.path()).unwrap());
        }
    }
    let done = workspace.generate();
    says(&complaints(&done, Level::Warning), 16, "no constant `no`");
    let mut made = String::new();
    for file in done.files.keys() {
        let below = file.strip_prefix("data/").unwrap();
        made.push_str(&format!("== {below}\n{}", workspace.text(below)));
    }
    assert_eq!(made, fs::read_to_string(specimen.join("expected.txt")).unwrap());
}

/// `kopek generate` with its own store.
fn command(workspace: &Workspace, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    command
        .arg("generate")
        .arg(workspace.dir())
        .arg("--store")
        .arg(workspace.home.path().join("other"))
        .args(more);
    command
}

/// Exit code, standard output, standard error.
fn run_generate(workspace: &Workspace, more: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command(workspace, more).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

#[test]
fn the_command_says_what_it_did_and_ends_accordingly() {
    let workspace = real_sums("data: {secret: {data: {a: echo.sh 1, b: echo.sh 2}}}");
    let (code, out, _) = run_generate(&workspace, &["--check"]);
    assert_eq!(code, 1, "a check without a lock checks nothing: {out}");
    assert!(!workspace.dir().join("data").exists());
    let (code, out, _) = run_generate(&workspace, &[]);
    assert!(
        code == 0 && out.contains("package: 2 cases made, 0 reused, 8 B, ") && out.contains("--update"),
        "{out}"
    );
    let (code, out, _) = run_generate(&workspace, &["--update"]);
    assert!(code == 0 && out.contains("0 cases made, 2 reused") && out.contains("holds 4 digests"), "{out}");
    workspace.write(ECHO.0, "echo $(($1 + $1 - 1))\n");
    for flags in [&["--check"][..], &[]] {
        let (code, out, err) = run_generate(&workspace, flags);
        assert!(code == 1 && out.contains("2 files differ"), "{out}");
        assert!(
            err.contains("package: data/secret/b.in: differs") && !err.contains("data/secret/a"),
            "{err}"
        );
    }
    assert_eq!(run_generate(&workspace, &["--update"]).0, 0);
    assert_eq!(run_generate(&workspace, &["--check"]).0, 0);
    let (code, out, _) = run_generate(&workspace, &["--clean"]);
    assert!(code == 0 && out.contains("4 generated files removed") && workspace.ages().is_empty(), "{out}");
    workspace.write(ECHO.0, "exit 7\n");
    let (code, out, err) = run_generate(&workspace, &["--jobs", "1"]);
    assert!(code == 4 && out.contains("2 cases FAILED"), "{out}");
    assert!(
        err.contains("generators/generators.yaml:2: secret/a: generator `echo.sh 1` exited with 7"),
        "{err}"
    );
    assert_eq!(run_generate(&workspace, &["--check", "--update"]).0, 2);
}

#[test]
fn files_changed_by_hand_stay_until_they_are_deleted() {
    let recipe = "data: {secret: {test_group.yaml: {max_score: 9}, data: {a: echo.sh 1, b: echo.sh 2}}}";
    let workspace = real_sums(recipe);
    assert_eq!(run_generate(&workspace, &["--update"]).0, 0);
    let group = workspace.text("secret/test_group.yaml");
    workspace.write("data/secret/a.ans", "mine\n");
    workspace.write("data/secret/test_group.yaml", "max_score: 8\n");
    let (code, out, err) = run_generate(&workspace, &[]);
    assert!(code == 4 && out.contains("1 case FAILED"), "{out}");
    for file in ["data/secret/a.ans", "data/secret/test_group.yaml"] {
        assert!(err.contains(&format!("{file}: was changed by hand")) && err.contains("delete it"), "{err}");
    }
    assert_eq!(workspace.text("secret/a.ans"), "mine\n");
    assert_eq!(workspace.text("secret/test_group.yaml"), "max_score: 8\n");
    for file in ["secret/a.ans", "secret/test_group.yaml"] {
        fs::remove_file(workspace.dir().join("data").join(file)).unwrap();
    }
    assert_eq!(run_generate(&workspace, &[]).0, 0);
    assert_eq!(
        (workspace.text("secret/a.ans"), workspace.text("secret/test_group.yaml")),
        ("1\n".into(), group)
    );
    // What another machine made is known by the lock.
    fs::remove_dir_all(workspace.home.path().join("store")).unwrap();
    workspace.write(ECHO.0, "echo $(($1 + 4))\n");
    let (code, _, err) = run_generate(&workspace, &["--update"]);
    assert_eq!((code, workspace.text("secret/a.in")), (0, "5\n".into()), "{err}");
}

#[test]
fn a_random_generator_is_reported_instead_of_the_lock() {
    let dice =
        "import os, sys\nprint(sys.argv[1] if sys.argv[1] != '2' else int.from_bytes(os.urandom(3)))\n";
    let workspace = real_sums("data: {secret: {data: {a: dice.py 1, b: dice.py 2}}}");
    workspace.write("generators/dice.py", dice);
    // Only the first case of a generator is looked at closely.
    assert_eq!(run_generate(&workspace, &["--update"]).0, 0);
    workspace.write("generators/dice.py", &format!("{dice}# changed\n"));
    let (code, out, err) = run_generate(&workspace, &[]);
    assert!(code == 4 && !out.contains("--update"), "{out}");
    assert!(err.contains("secret/b: generator `dice.py 2` is not deterministic"), "{err}");
    assert!(!err.contains("secret/a") && !err.contains("the lock"), "{err}");
}

#[test]
fn many_cases_that_fail_for_one_cause_are_one_error() {
    let workspace =
        real_sums("data: {secret: {data: {a: {generate: 'echo.sh x{count}', count: 1..=5}, b: echo.sh 1}}}");
    let (code, out, err) = run_generate(&workspace, &[]);
    assert!(code == 4 && out.contains("5 cases FAILED"), "{out}");
    assert_eq!(err.matches("input validator").count(), 1, "{err}");
    assert!(err.contains("(and 4 more cases)"), "{err}");
}

#[test]
fn a_killed_run_leaves_only_whole_cases() {
    let recipe = "data: {secret: {data: {a: {generate: 'big.py {count} {seed}', count: 24}}}}";
    let workspace = real_sums(recipe);
    let big =
        "import sys\nn = int(sys.argv[2]) % 1000\nprint('\\n'.join(str(n + i) for i in range(60000)))\n";
    workspace.write("generators/big.py", big);
    let expected = sound(workspace.generate()).files;
    assert_eq!(expected.len(), 48);
    // The old files are those of the lock, so they were not changed by hand.
    let old = expected.keys().map(|path| (path.clone(), Digest::of(b"old\n"))).collect();
    lock::write(&workspace.dir(), &old).unwrap();
    let inputs: Vec<_> = expected.keys().filter_map(|path| path.strip_suffix(".in")).collect();
    let is = |path: &str, text: &[u8]| fs::read(workspace.dir().join(path)).is_ok_and(|found| found == text);
    let mut states = [0; 3];
    for round in 0..5 {
        let outdated: Vec<_> = inputs.iter().skip(round % 2).step_by(2).collect();
        for case in &outdated {
            workspace.write(&format!("{case}.in"), "old\n");
            workspace.write(&format!("{case}.ans"), "old\n");
        }
        let mut run = command(&workspace, &[]);
        // What a killed process leaves in the temporary directory goes with the test's own.
        run.env("TMPDIR", workspace.home.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let dirs = inputs.iter().map(|path| workspace.dir().join(path).parent().unwrap().to_owned());
        let changes = Changes::of(dirs);
        let mut run = run.spawn().unwrap();
        // By what it has done, not by a clock: in the middle, however busy the machine is.
        let is_old = |case: &&&&str| is(&format!("{case}.in"), b"old\n");
        changes.until("enough new cases", || {
            assert!(run.try_wait().unwrap().is_none(), "it ended before all cases were made");
            (outdated.iter().filter(is_old).count() + 2 * round < outdated.len()).then_some(())
        });
        run.kill().unwrap();
        run.wait().unwrap();
        for case in &inputs {
            let (input, answer) = (format!("{case}.in"), format!("{case}.ans"));
            let whole = |path: &String| {
                Digest::of_file(&workspace.dir().join(path)).is_ok_and(|d| d == expected[path])
            };
            let state = match (workspace.dir().join(&input).exists(), is(&input, b"old\n")) {
                (false, _) => 0,
                (true, true) => 1 + usize::from(!is(&answer, b"old\n")) * 9,
                (true, false) => 2 + usize::from(!whole(&input) || !whole(&answer)) * 9,
            };
            assert!(state < 3, "{case} is half old, half new");
            states[state] += 1;
        }
    }
    assert!(states[1] > 0 && states[2] > 0, "no run was killed in the middle: {states:?}");
    let (code, _, err) = run_generate(&workspace, &["--update"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(workspace.ages().len(), 48, "no drafts are left");
    assert!(
        expected
            .iter()
            .all(|(path, digest)| Digest::of_file(&workspace.dir().join(path)).unwrap() == *digest)
    );
}

/// The package as it is read; what its reader finds odd is another chapter.
fn package(dir: &Path) -> Package {
    package::read(dir).unwrap().package.expect("a sound problem.yaml")
}
