//! Data that validators must refuse, or accept.

use super::{
    case::{Purpose, case, without_effect},
    folder::Folder,
    rules,
    settings::{self, Settings},
};
use crate::package::{
    Finding, Must, Package, ValidationCase,
    disk::Disk,
    sheet::{Sheet, Unknown},
};

const KINDS: &[(&str, Must)] = &[
    ("invalid_input", Must::RefuseInput),
    ("invalid_output", Must::RefuseOutput),
    ("valid_output", Must::AcceptOutput),
];

/// All of it, in order of names.
pub fn cases(
    package: &Package,
    disk: &Disk,
    data: &Folder,
    top: &Settings,
    findings: &mut Vec<Finding>,
) -> Vec<ValidationCase> {
    let mut all = Vec::new();
    for (name, must) in KINDS {
        let Some(folder) = data.folders.iter().find(|folder| folder.name == *name) else { continue };
        if *must != Must::RefuseInput && package.kind.interactive {
            let finding =
                Finding::warning(&folder.path, "is ignored: an interactive problem has no outputs to check");
            findings.push(finding.hint("remove it"));
            continue;
        }
        let mut found = Vec::new();
        gather(package, disk, folder, (top, *must), findings, &mut found);
        found.sort_by(|a: &ValidationCase, b| a.case.name.cmp(&b.case.name));
        all.append(&mut found);
    }
    all
}

fn gather(
    package: &Package,
    disk: &Disk,
    folder: &Folder,
    (above, must): (&Settings, Must),
    findings: &mut Vec<Finding>,
    found: &mut Vec<ValidationCase>,
) {
    let settings = configured(package, disk, folder, (above, must), findings);
    let purpose = Purpose::Validation { answer: must != Must::RefuseInput };
    for (stem, files) in &folder.cases {
        let Some(case) = case(package, disk, folder, (stem, files), (&settings, purpose), findings) else {
            continue;
        };
        let output = files.get("out").map(|item| disk.path(&item.path));
        if must != Must::RefuseInput && output.is_none() {
            let finding =
                Finding::error(folder.path.join(format!("{stem}.in")), "has no .out file to be checked");
            findings.push(finding.hint(format!("add {stem}.out beside it")));
            continue;
        }
        found.push(ValidationCase { must, case, output });
    }
    for below in &folder.folders {
        gather(package, disk, below, (&settings, must), findings, found);
    }
}

fn configured(
    package: &Package,
    disk: &Disk,
    folder: &Folder,
    (above, must): (&Settings, Must),
    findings: &mut Vec<Finding>,
) -> Settings {
    let mut sheet = Sheet::new(folder.path.join("test_group.yaml"));
    let node = rules::parse(package, disk, folder, &mut sheet);
    let known = [settings::KEYS, &["description"]].concat();
    let keys = node.as_ref().and_then(|node| sheet.keys("test_group.yaml", node, &known, Unknown::Refuse));
    let settings = match keys {
        Some(keys) => {
            without_effect(keys, must != Must::RefuseInput, &mut sheet);
            above.with(keys, package, &mut sheet)
        }
        None => above.clone(),
    };
    findings.append(&mut sheet.findings);
    settings
}
