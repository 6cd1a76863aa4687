//! The arguments that a case inherits from its directories and its own file; for each key the nearest file wins.
//! Reads only the keys needed to make and validate a case; the package's reader reads these files in full.

use super::recipe::{GroupFile, Recipe, RecipeFolder};
use kopek_package::package::{
    CaseArguments, Package,
    yaml::{self, YamlNode},
};
use std::{collections::BTreeMap, path::Path};

/// The arguments in the files of groups, by directory below `data/`.
pub struct GroupArguments {
    files: BTreeMap<String, YamlNode>,
    constants: BTreeMap<String, String>,
}

impl GroupArguments {
    /// Reads the files that the recipe writes, and those on disk that it leaves alone.
    pub fn read(recipe: &Recipe, package: &Package) -> GroupArguments {
        GroupArguments {
            files: read_group_files(recipe, &package.dir.join("data")),
            constants: package.constants.clone(),
        }
    }

    /// The arguments that a case inherits from its directories, constants filled in.
    pub fn of(&self, case: &str) -> CaseArguments {
        // From the outermost directory inwards: the nearest to the case wins.
        let ends = case.match_indices('/').map(|(at, _)| at);
        let folders = std::iter::once(0).chain(ends).map(|end| &case[..end]);
        let inherited = folders
            .filter_map(|folder| self.files.get(folder))
            .fold(CaseArguments::default(), CaseArguments::overridden_by);
        inherited.with_constants(&self.constants)
    }
}

fn read_group_files(recipe: &Recipe, data: &Path) -> BTreeMap<String, YamlNode> {
    let file = |folder: &RecipeFolder| match &folder.group {
        GroupFile::Written(node) => Some(node.clone()),
        GroupFile::Absent => None,
        GroupFile::Untouched => {
            let text = std::fs::read_to_string(data.join(&folder.path).join(folder.file)).ok()?;
            parse_silently(text)
        }
    };
    let found = recipe.folders.iter().filter_map(|folder| Some((folder.path.clone(), file(folder)?)));
    found.collect()
}

/// Errors are ignored: the package's reader reports them.
fn parse_silently(text: String) -> Option<YamlNode> {
    yaml::parse_text("test_group.yaml".as_ref(), &text, &mut Vec::new())
}

#[cfg(test)]
mod tests {
    use super::{super::recipe::RecipeInputs, *};

    #[test]
    fn the_nearest_file_counts_per_key() {
        let text = b"
test_group.yaml: {args: [a], output_validator_args: [x]}
data:
  secret:
    test_group.yaml: {input_validator_args: [--n, '{{n}}']}
    data:
      '1':
        test_group.yaml: {args: [b], input_validator_args: {v: [--big], w: []}}
        data: {c: g}
      '2': {data: {d: g 2}}
";
        let (recipe, findings) = Recipe::read(text, &RecipeInputs::default());
        assert_eq!(findings, []);
        let constants = [("n".to_owned(), "5".to_owned())].into();
        let groups = GroupArguments { files: read_group_files(&recipe, Path::new("/nowhere")), constants };
        let one = groups.of("secret/1/c");
        assert_eq!(one.of_input_validator("v"), ["--big", "b"]);
        assert_eq!(one.of_input_validator("other"), ["b"]);
        assert_eq!(one.output, ["x"]);
        assert_eq!(groups.of("secret/2/d").of_input_validator("v"), ["--n", "5", "a"]);
        let own = one.with_own_file(Some(b"args: []\n"));
        assert_eq!(own.of_input_validator("v"), ["--big"]);
    }
}
