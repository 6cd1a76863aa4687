//! Child processes. A test that must be killed, run out of descriptors or be alone needs a process of its own:
//! this test binary again, with nothing but [`entry`] in it. A variable names its task; without
//! one the entry fails, so it never counts as a test that passed.

use crate::{
    attacks::bombs,
    sandbox::{held_up, survival},
    store::killed_processes,
    surroundings,
};
use std::{
    env,
    process::{Command, Output},
};

const TASK: &str = "KOPEK_TEST_TASK";

/// What children do.
const TASKS: &[(&str, fn())] = &[
    ("explode bombs", bombs::explode_and_count),
    ("become a command in a container", surroundings::become_command),
    ("judge for ever", survival::judge_for_ever),
    ("judge a thousand times", survival::judge_a_thousand_times),
    ("judge a hundred bombs", survival::judge_a_hundred_bombs),
    ("judge without descriptors", survival::judge_without_descriptors),
    ("judge with a worker that hangs", survival::judge_with_a_worker_that_hangs),
    ("rest ten times", held_up::rest_ten_times),
    ("want more than there is", held_up::want_more_than_there_is),
    ("write for ever", killed_processes::write_for_ever),
    ("write beside others", killed_processes::write_beside_others),
    ("write until the disk is full", killed_processes::write_until_the_disk_is_full),
    ("clean the store", killed_processes::clean_the_store),
];

#[test]
#[ignore = "a child process that other tests start; alone it fails"]
fn entry() {
    let task = env::var(TASK).expect("only other tests start this: leave it out by `--skip child::entry`");
    let (_, work) = TASKS.iter().find(|(name, _)| *name == task).expect("a task of the table");
    work();
}

/// The arguments of this test binary that choose [`entry`].
pub const ENTRY: &[&str] = &["child::entry", "--exact", "--ignored", "--nocapture"];

/// A child with this task.
pub fn command(task: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(ENTRY);
    give_task(&mut command, task);
    command
}

pub fn give_task(command: &mut Command, task: &str) {
    command.env(TASK, task);
}

/// Waits for a child, which must have done its task.
#[track_caller]
pub fn finish(command: &mut Command) {
    check_output(&command.output().unwrap());
}

/// A child that has ended must have done its task.
#[track_caller]
pub fn check_output(output: &Output) {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    // A filter that matches no test ends well, too.
    assert!(output.status.success() && out.contains("1 passed"), "{out}{err}");
}
