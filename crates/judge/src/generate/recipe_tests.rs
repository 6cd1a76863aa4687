//! The meaning of a recipe: names, numbers, seeds, includes, and every oddity.

use super::{
    command::GeneratorCommand,
    recipe::{GroupFile, Recipe, RecipeInputs, RecipeSolution},
};
use kopek_package::package::{Message, yaml::emit};
use proptest::prelude::*;

fn read(text: &str) -> (Recipe, Vec<Message>) {
    Recipe::read(text.as_bytes(), &RecipeInputs::default())
}

fn sound(text: &str) -> Recipe {
    let (recipe, findings) = read(text);
    assert_eq!(findings, [], "{text}");
    recipe
}

fn paths(recipe: &Recipe) -> Vec<&str> {
    recipe.makes.iter().map(|make| make.path.as_str()).collect()
}

/// The line and the beginning of each finding.
fn complaints(text: &str) -> Vec<(u32, String)> {
    let found = read(text).1.into_iter();
    found.map(|finding| (finding.place().unwrap().line.unwrap_or(0), finding.what)).collect()
}

#[test]
fn maps_are_ordered_by_the_alphabet_and_roots_by_the_format() {
    let recipe = sound(
        "data:\n  secret: {data: {b: g 1, a: g 2, c: {data: {y: g 3}}, B: g 4}}\n  sample: {data: {'1': {in: x, ans: y}}}\n\
             \x20 invalid_input: {data: {z: {in: q}}}\n",
    );
    let expected = ["sample/1", "secret/B", "secret/a", "secret/b", "secret/c/y", "invalid_input/z"];
    assert_eq!(paths(&recipe), expected);
    let folders: Vec<_> = recipe.folders.iter().map(|folder| folder.path.as_str()).collect();
    assert_eq!(folders, ["", "sample", "secret", "secret/c", "invalid_input"]);
}

#[test]
fn cases_of_lists_share_one_number_and_directories_have_their_own() {
    let recipe = sound(
        "
data:
  sample:
    data:
      - '': {in: a}
      - two: {in: b}
  secret:
    data:
      - small:
          data:
            - z: g {seed:1}
            - ~: {generate: 'g {seed}', count: 7}
      - large:
          data:
            - a: g 9
            - x: {data: {named: g 10}}
",
    );
    let expected = [
        "sample/01",
        "sample/02-two",
        "secret/1-small/03-z",
        "secret/1-small/04-1",
        "secret/1-small/05-2",
        "secret/1-small/06-3",
        "secret/1-small/07-4",
        "secret/1-small/08-5",
        "secret/1-small/09-6",
        "secret/1-small/10-7",
        "secret/2-large/11-a",
        "secret/2-large/1-x/named",
    ];
    assert_eq!(paths(&recipe), expected);
}

#[test]
fn counts_that_follow_each_other_are_padded() {
    let cases: [(&str, &[&str]); 5] = [
        ("10", &["k-01", "k-02", "k-03", "k-04", "k-05", "k-06", "k-07", "k-08", "k-09", "k-10"]),
        ("'9..=11'", &["k-09", "k-10", "k-11"]),
        ("[9, 11, 10]", &["k-09", "k-11", "k-10"]),
        ("[5, 100]", &["k-5", "k-100"]),
        ("-1..=1", &["k--1", "k-00", "k-01"]),
    ];
    for (count, names) in cases {
        let recipe =
            sound(&format!("data: {{secret: {{data: {{k: {{generate: 'g {{count}}', count: {count}}}}}}}}}"));
        let found: Vec<_> = recipe.makes.iter().map(|make| make.path.trim_start_matches("secret/")).collect();
        assert_eq!(found, names);
    }
}

#[test]
fn a_count_is_in_the_arguments_and_changes_the_seed() {
    let recipe =
        sound("random_salt: s\ndata: {secret: {data: {k: {generate: 'g {count} {seed}', count: 2}}}}");
    let text: Vec<_> =
        recipe.makes.iter().map(|make| make.generate.as_ref().unwrap().with_seed_filled()).collect();
    // int(sha512(b"sg 1 {seed}").hexdigest(), 16) % 2**31, and of "s:1g 2 {seed}"
    assert_eq!(text, ["g 1 1109120224", "g 2 1894715927"]);
}

#[test]
fn the_nearest_salt_solution_and_retries_count() {
    let recipe = sound(
        "
solution: /submissions/accepted/a.rs
random_salt: one
data:
  sample: {solution: , data: {a: {in: x}}}
  secret:
    retries: 3
    data:
      b: g {seed}
      c: {generate: 'g {seed}', random_salt: two, solution: /submissions/accepted/b.rs, retries: 2}
",
    );
    let [a, b, c] = recipe.makes.as_slice() else { panic!() };
    assert_eq!(a.solution, RecipeSolution::None);
    assert_eq!((&b.solution, b.tries), (&RecipeSolution::Program("submissions/accepted/a.rs".into()), 3));
    assert_eq!((&c.solution, c.tries), (&RecipeSolution::Program("submissions/accepted/b.rs".into()), 2));
    assert_ne!(b.generate.as_ref().unwrap().seed, c.generate.as_ref().unwrap().seed);
}

#[test]
fn literals_end_with_a_newline_unless_empty() {
    let recipe =
        sound("data: {sample: {data: {a: {in: 1 2, ans: '', out: \"x\\n\", yaml: {args: ['5', b]}}}}}");
    let literals: Vec<_> = recipe.makes[0].literals.iter().map(|(k, v)| (*k, v.as_str())).collect();
    assert_eq!(literals, [("ans", ""), ("in", "1 2\n"), ("out", "x\n"), ("yaml", "{args: ['5', b]}\n")]);
}

#[test]
fn a_group_file_is_written_removed_or_left_alone() {
    let recipe = sound(
        "data:\n  secret:\n    test_group.yaml: {max_score: 20}\n    data:\n      a: {test_group.yaml: }\n      b: {data: {c: g}}\n",
    );
    let kinds = recipe.folders[1..].iter().map(|folder| match &folder.group {
        GroupFile::Written(node) => emit(node),
        other => format!("{other:?}"),
    });
    assert_eq!(kinds.collect::<Vec<_>>(), ["{max_score: 20}\n", "Absent", "Untouched"]);
}

#[test]
fn a_copy_is_relative_to_the_generators() {
    let recipe = sound("data: {sample: {data: {a: {copy: manual/a}, b: {copy: ../data/x/./b}}}}");
    let copies: Vec<_> = recipe.makes.iter().map(|make| make.copy.as_deref().unwrap()).collect();
    assert_eq!(copies, ["generators/manual/a", "data/x/b"]);
}

#[test]
fn earlier_cases_and_groups_are_included_by_key() {
    let recipe = sound(
        "
data:
  sample: {data: {s1: {in: '1'}}}
  secret:
    data:
      - one: {include: [s1], data: [{a: g 1}, {b: g 2}]}
      - two: {include: [one], data: [{c: g 3}]}
      - three: {include: [two, b, c], data: {}}
",
    );
    let found: Vec<_> = recipe.includes.iter().map(|include| (include.path.as_str(), include.make)).collect();
    let expected = [
        ("secret/1-one/s1", 0),
        ("secret/2-two/s1", 0),
        ("secret/2-two/1-a", 1),
        ("secret/2-two/2-b", 2),
        ("secret/3-three/s1", 0),
        ("secret/3-three/1-a", 1),
        ("secret/3-three/2-b", 2),
        ("secret/3-three/3-c", 3),
    ];
    assert_eq!(found, expected);
}

#[test]
fn an_included_case_whose_name_is_taken_is_explained_at_the_include() {
    let found = complaints(
        "
data:
  secret:
    data:
      '1': {data: {a: g 1, b: g 2, c: g 3}}
      '2':
        include: ['1']
        data: {a: g 4, b: g 5}
      '3': {data: {a: g 6}}
      '4': {include: ['3', '1'], data: {}}
",
    );
    let brings = "`include` brings";
    let expected = [
        (
            7,
            format!(
                "{brings} 2 cases under a name that is taken: `secret/1/a` as `secret/2/a` (made by line 8), \
                 `secret/1/b` as `secret/2/b` (made by line 8)"
            ),
        ),
        (
            10,
            format!(
                "{brings} 1 case under a name that is taken: `secret/1/a` as `secret/4/a` (as `secret/3/a` is)"
            ),
        ),
    ];
    assert_eq!(found, expected);
}

#[test]
fn an_ambiguous_key_lists_its_cases_and_groups() {
    let found =
        complaints("data: {sample: {data: {'1': g 1}}, secret: {data: {'1': {include: ['1'], data: {}}}}}");
    assert_eq!(found[0].1, "`include: 1` is ambiguous: `sample/1`, `secret/1`");
}

#[test]
fn every_oddity_is_listed_with_its_line() {
    let text = "generators:
  bad/name: [x]
data:
  sample:
    data:
      '': g
      5: g 2
      empty:
      nothing: {ans: x}
      number: {in: 5}
      odd: {in: x, colour: red}
      outside: {copy: ../../x}
  secret:
    include: [sample/odd, nobody]
    solution: rel.rs args
    data:
      - a: g 1
        b: g 2
      - twice: g {seed} {seed}
      - many: {generate: g, count: 101}
      - link: {in: x, in.statement: {link: ans}}
  elsewhere: {data: {}}
";
    let found = complaints(text);
    let expected = [
        (2, "a generator needs a name"),
        (6, "only children of a list"),
        (7, "a name must be a string"),
        (8, "`empty` has no rule"),
        (9, "nothing makes the input"),
        (10, "`in` must be a string, not a number"),
        (11, "unknown key `colour`"),
        (12, "`copy: ../../x` leaves"),
        (14, "`include` takes keys"),
        (14, "`include: nobody` names no earlier"),
        (15, "solution `rel.rs args`"),
        (17, "an item of a `data` list must have one key, not 2"),
        (19, "`g {seed} {seed}`: {seed} may appear"),
        (20, "`count` must be"),
        (21, "`in.statement` can only be a link"),
        (22, "`elsewhere` is not a directory of `data/`"),
    ];
    for (line, what) in expected {
        let here = found.iter().any(|(at, said)| *at == line && said.starts_with(what));
        assert!(here, "no `{what}` at {line} in {found:#?}");
    }
}

#[test]
fn equal_rules_are_pointed_out_unless_wanted() {
    let twice = "data: {secret: {data: {a: 'g {seed}', b: 'g {seed}'}}}";
    assert!(complaints(twice)[0].1.contains("has the same command as the case in line 1"));
    sound("data: {secret: {data: {a: {generate: g 1, count: 3}}}}");
    sound("data: {secret: {data: {a: 'g {seed:1}', b: 'g {seed:2}'}}}");
}

#[test]
fn names_that_clash_are_found() {
    let clash = "data: {secret: {data: {a: {generate: g, count: 1}, a-1: g 2, test_group: g 3, x y: g 4}}}";
    let found: Vec<_> = complaints(clash).into_iter().map(|(_, what)| what).collect();
    let begun = ["`secret/a-1` is already made", "`test_group` cannot", "`x y` cannot"];
    assert!(
        found.len() == 3 && found.iter().zip(begun).all(|(what, begun)| what.starts_with(begun)),
        "{found:?}"
    );
}

#[test]
fn constants_come_before_the_seed() {
    let given =
        RecipeInputs { constants: [("n".to_owned(), "7".to_owned())].into(), ..RecipeInputs::default() };
    let text = b"data: {secret: {data: {a: 'g {{n}} {{m}} {seed}'}}}";
    let (recipe, findings) = Recipe::read(text, &given);
    let plain = GeneratorCommand::read("g 7 {{m}} {seed}", "", 1).unwrap();
    assert_eq!(recipe.makes[0].generate, Some(plain));
    assert_eq!(findings.len(), 1, "{findings:?}");
}

#[test]
fn an_empty_recipe_makes_nothing() {
    for empty in ["", "# only a comment\n", "data:\n"] {
        assert!(sound(empty).makes.is_empty());
    }
    for broken in ["[]", "5", "in: x", "data: [a]"] {
        assert!(!read(broken).1.is_empty(), "{broken}");
    }
    assert!(!Recipe::read(b"\xff\xfe", &RecipeInputs::default()).1.is_empty());
}

/// Pieces to build recipes that are almost valid.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "data:",
        "\n  ",
        "\n    ",
        "\n",
        "- ",
        "secret:",
        "sample:",
        " g {seed}",
        "count: ",
        "-3..=5",
        "'",
        "\"",
        "[",
        "]",
        "{",
        "}",
        "&a ",
        "*a",
        "<<: ",
        "in: ",
        "include: [a]",
        "a: ",
        "copy: ../x",
        "!!int ",
        "|",
        "\t",
        "#",
        "0",
        "99999999999999999999",
        "test_group.yaml: ",
        "match: (",
        "generators: ",
        "\u{0}",
        "ä",
        ": ",
        "? ",
        ", ",
        "---\n",
        "%YAML 9\n",
        "retries: 0",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn arbitrary_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Recipe::read(&bytes, &RecipeInputs::default());
    }

    #[test]
    fn near_recipes_do_no_harm(pieces in prop::collection::vec(piece(), 0..60)) {
        let _ = Recipe::read(pieces.concat().as_bytes(), &RecipeInputs::default());
    }
}
