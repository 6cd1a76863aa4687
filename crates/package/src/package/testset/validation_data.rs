//! Reads data that validators must refuse or accept.

use super::{
    case_settings::{self, CaseSettings},
    data_folder::DataFolder,
    data_reader::DataReader,
    group_config::parse_group_yaml,
    test_case::{Purpose, read_case, report_without_effect},
};
use crate::package::{
    ExpectedReply, Message, ValidationCase,
    field_reader::{FieldReader, UnknownKeyPolicy},
};

const KINDS: &[(&str, ExpectedReply)] = &[
    ("invalid_input", ExpectedReply::RefuseInput),
    ("invalid_output", ExpectedReply::RefuseOutput),
    ("valid_output", ExpectedReply::AcceptOutput),
];

fn purpose_of(must: ExpectedReply) -> Purpose {
    match must {
        ExpectedReply::RefuseInput => Purpose::ValidatorInput,
        ExpectedReply::RefuseOutput | ExpectedReply::AcceptOutput => Purpose::ValidatorOutput,
    }
}

/// All validation cases, in order of names.
pub(crate) fn validation_cases(
    reader: &mut DataReader,
    data: &DataFolder,
    top: &CaseSettings,
) -> Vec<ValidationCase> {
    let mut all = Vec::new();
    for (name, must) in KINDS {
        let Some(folder) = data.folders.iter().find(|folder| folder.name == *name) else { continue };
        if *must != ExpectedReply::RefuseInput && reader.package.kind.interactive {
            let what = "is ignored: an interactive problem has no outputs to check";
            reader.findings.push(Message::warning(&folder.path, what).todo("remove it"));
            continue;
        }
        let mut found = validation_cases_below(reader, folder, top, *must);
        found.sort_by(|a, b| a.case.name.cmp(&b.case.name));
        all.append(&mut found);
    }
    all
}

fn validation_cases_below(
    reader: &mut DataReader,
    folder: &DataFolder,
    above: &CaseSettings,
    must: ExpectedReply,
) -> Vec<ValidationCase> {
    let settings = folder_settings(reader, folder, above, must);
    let mut found = Vec::new();
    for (stem, files) in &folder.cases {
        let Some(case) = read_case(reader, folder, stem, &settings, purpose_of(must)) else { continue };
        let output = files.get("out").map(|item| reader.disk.path(&item.path));
        if must != ExpectedReply::RefuseInput && output.is_none() {
            let input = folder.path.join(format!("{stem}.in"));
            let finding = Message::error(input, "has no .out file to be checked");
            reader.findings.push(finding.todo(format!("add {stem}.out beside it")));
            continue;
        }
        found.push(ValidationCase { must, case, output });
    }
    for below in &folder.folders {
        found.extend(validation_cases_below(reader, below, &settings, must));
    }
    found
}

fn folder_settings(
    reader: &mut DataReader,
    folder: &DataFolder,
    above: &CaseSettings,
    must: ExpectedReply,
) -> CaseSettings {
    let mut field_reader = FieldReader::new(folder.path.join("test_group.yaml"));
    let node = parse_group_yaml(reader, folder, &mut field_reader);
    let known = [case_settings::KEYS, &["description"]].concat();
    let keys = node
        .as_ref()
        .and_then(|node| field_reader.keys("test_group.yaml", node, &known, UnknownKeyPolicy::Refuse));
    let settings = match keys {
        Some(keys) => {
            report_without_effect(keys, purpose_of(must), &mut field_reader);
            above.with(keys, reader.package, &mut field_reader)
        }
        None => above.clone(),
    };
    reader.findings.append(&mut field_reader.findings);
    settings
}
