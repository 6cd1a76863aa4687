//! Two programs connected crosswise.

use super::*;

fn talk() -> PairOptions {
    PairOptions { transcript: Bytes::kib(1), ..PairOptions::default() }
}

/// A wall limit, and how far a busy machine may prolong it: of two programs that talk only an idle CPU tells that both
/// rest.
const REST: (Duration, Option<Duration>) = (Duration::from_millis(300), Some(Duration::from_secs(60)));

#[test]
fn two_programs_talk_and_the_first_to_end_is_known() {
    let mut slot = open_sandbox().slot(None);
    let (ask, answer) = (sh("echo 5; read x; echo got $x >&2"), sh("read x; echo $((x*2)); cat"));
    for _ in 0..20 {
        let pair = slot.run_pair(&ask, &answer, talk()).unwrap();
        assert_eq!(pair.first_to_end, PairMember::First);
        assert_eq!((pair.first.exit, pair.second.exit), (Exit::Code(0), Exit::Code(0)));
        assert_eq!(pair.first.stderr.bytes().unwrap(), b"got 10\n");
        let words: Vec<_> = pair.transcript.iter().map(|t| (t.speaker, t.bytes.clone())).collect();
        assert_eq!(words, [(PairMember::First, b"5\n".to_vec()), (PairMember::Second, b"10\n".to_vec())]);
    }
}

#[test]
fn the_second_can_end_first_as_reliably() {
    let mut slot = open_sandbox().slot(None);
    let (wait, leave) = (sh("cat; exit 3"), sh("exit 4"));
    for _ in 0..20 {
        let pair = slot.run_pair(&wait, &leave, PairOptions::default()).unwrap();
        assert_eq!(pair.first_to_end, PairMember::Second);
        assert_eq!((pair.first.exit, pair.second.exit), (Exit::Code(3), Exit::Code(4)));
    }
}

#[test]
fn a_deadlock_ends_by_the_wall_limit() {
    let mut slot = open_sandbox().slot(None);
    let mut listen = sh("read x");
    (listen.limits.wall, listen.extension) = REST;
    let pair = slot.run_pair(&listen, &sh("read x; exit 5"), talk()).unwrap();
    assert_eq!(pair.first.exit, Exit::Exceeded(Limit::Wall));
    assert_eq!((pair.first_to_end, pair.second.exit), (PairMember::First, Exit::Code(5)));
}

#[test]
fn neither_goes_on_after_the_exit_that_is_enough() {
    let mut slot = open_sandbox().slot(None);
    let (refuses, mut goes_on) = (sh("read x; exit 43"), sh("echo 5; while :; do :; done"));
    // More than it gets before it is stopped, however slow the machine is.
    (goes_on.limits.cpu, goes_on.limits.wall) = (Duration::from_secs(60), Duration::from_secs(60));
    let talk = PairOptions { stop_second_on: Some(43), ..talk() };
    for _ in 0..3 {
        let pair = slot.run_pair(&refuses, &goes_on, talk).unwrap();
        assert_eq!((pair.first_to_end, pair.first.exit), (PairMember::First, Exit::Code(43)));
        assert!(!matches!(pair.second.exit, Exit::Exceeded(_)), "{pair:?}");
    }
    let after = slot.run_pair(&sh("read x"), &sh("echo 5; cat; exit 7"), talk).unwrap();
    assert_eq!(after.second.exit, Exit::Code(7));
}

#[test]
fn closing_an_output_is_heard_though_its_owner_lives() {
    let mut slot = open_sandbox().slot(None);
    let (closes, counts) = (sh("echo a; exec >&-; read x; test $x = 1"), sh("echo $(wc -l)"));
    let pair = slot.run_pair(&closes, &counts, talk()).unwrap();
    assert_eq!((pair.first.exit, pair.second.exit), (Exit::Code(0), Exit::Code(0)), "{pair:?}");
}

#[test]
fn the_second_is_heard_to_close_its_output_only_when_it_ends() {
    let mut slot = open_sandbox().slot(None);
    let waits = sh("read x; exit 43");
    for _ in 0..20 {
        let pair = slot.run_pair(&waits, &sh("exec >&-; sleep 0.02; exit 3"), talk()).unwrap();
        assert_eq!((pair.first.exit, pair.second.exit), (Exit::Code(43), Exit::Code(3)));
        assert_eq!(pair.first_to_end, PairMember::Second);
    }
}

#[test]
fn writing_to_a_program_that_has_ended_is_no_crash() {
    let mut slot = open_sandbox().slot(None);
    let pair = slot
        .run_pair(&sh("head -c 500000 /dev/full; exit 6"), &sh("exit 0"), PairOptions::default())
        .unwrap();
    assert_eq!(
        (pair.first.exit, pair.second.exit, pair.first_to_end),
        (Exit::Code(6), Exit::Code(0), PairMember::Second)
    );
}

#[test]
fn too_much_output_is_stopped_and_a_partner_that_does_not_read_is_waited_for() {
    let mut slot = open_sandbox().slot(None);
    let pair = slot.run_pair(&sh("yes"), &sh("cat > /dev/null"), talk()).unwrap();
    assert_eq!(pair.first.exit, Exit::Exceeded(Limit::Output));
    let (much, listens) = (sh("head -c 3000000 /dev/full"), sh("cat > /dev/null"));
    let pair = slot.run_pair(&much, &listens, PairOptions::default()).unwrap();
    assert_eq!(pair.first.exit, Exit::Exceeded(Limit::Output));
    let mut deaf = sh("sleep 99");
    (deaf.limits.wall, deaf.extension) = REST;
    let mut loud = sh("head -c 900000 /dev/full; exit 6");
    loud.limits.wall = Duration::from_secs(90);
    let pair = slot.run_pair(&loud, &deaf, PairOptions::default()).unwrap();
    assert_eq!((pair.first.exit, pair.second.exit), (Exit::Code(6), Exit::Exceeded(Limit::Wall)));
    assert_eq!(pair.first_to_end, PairMember::Second);
}

#[test]
fn many_short_words_are_carried() {
    let mut slot = open_sandbox().slot(None);
    let say = "import sys\nfor i in range(2000):\n  print(i, flush=True)\n  assert sys.stdin.readline() == f'{i}\\n'";
    let echo = "import sys\nfor line in sys.stdin:\n  sys.stdout.write(line); sys.stdout.flush()";
    let (mut say, mut echo) = (exec(&["python3", "-c", say]), exec(&["python3", "-c", echo]));
    (say.limits.wall, echo.limits.wall) = (Duration::from_secs(60), Duration::from_secs(60));
    let pair = slot.run_pair(&say, &echo, PairOptions::default()).unwrap();
    assert_eq!((pair.first.exit, pair.second.exit), (Exit::Code(0), Exit::Code(0)), "{pair:?}");
}

#[test]
fn a_flood_after_the_other_has_left_ends_by_the_output_limit() {
    let mut slot = open_sandbox().slot(None);
    let mut floods = sh("read x; exec yes");
    // No other limit ends it.
    (floods.limits.cpu, floods.limits.wall) = (Duration::from_secs(999), Duration::from_secs(999));
    let pair = slot.run_pair(&sh("exit 42"), &floods, PairOptions::default()).unwrap();
    assert_eq!((pair.first_to_end, pair.second.exit), (PairMember::First, Exit::Exceeded(Limit::Output)));
    let after = slot.run_pair(&sh("exit 42"), &sh("read x; exit 7"), PairOptions::default()).unwrap();
    assert_eq!(after.second.exit, Exit::Code(7), "its worker is as good as before");
}

#[test]
fn closing_an_output_is_heard_though_its_owner_never_rests() {
    let mut slot = open_sandbox().slot(None);
    let looks = "import os, select\nos.write(1, b'a\\n')\nos.close(1)\n\
        while not select.select([0], [], [], 0.01)[0]: pass\nos._exit(os.read(0, 9) != b'1\\n')";
    let (closes, counts) = (exec(&["python3", "-c", looks]), sh("echo $(wc -l)"));
    let pair = slot.run_pair(&closes, &counts, PairOptions::default()).unwrap();
    assert_eq!((pair.first.exit, pair.second.exit), (Exit::Code(0), Exit::Code(0)), "{pair:?}");
}

#[test]
fn pairs_end_as_their_programs_do() {
    let mut slot = open_sandbox().slot(None);
    let (first_ends, second_ends) = (PairMember::First, PairMember::Second);
    let (code, signal) = (Exit::Code, Exit::Signal);
    for (first, second, ends) in [
        // Reads the remaining output of a dead program, or writes to it.
        ("echo 1; echo 2; exit 3", "sleep 0.05; cat; echo 9; exit 4", (code(3), code(4), first_ends)),
        ("sleep 0.05; cat; exit 3", "echo 1; kill -9 $$", (code(3), signal(9), second_ends)),
        ("read x; exit 43", "echo wrong; cat; kill -11 $$", (code(43), signal(11), first_ends)),
        // Who closed its input waits for the other to end by filling its pipe.
        (
            "exec <&-; head -c 300000 /dev/full; exit 3",
            "head -c 40000 /dev/full; exit 4",
            (code(3), code(4), second_ends),
        ),
        (
            "exec <&-; head -c 300000 /dev/full; exit 3",
            "head -c 300000 /dev/full; exit 4",
            (code(3), code(4), second_ends),
        ),
        (
            "head -c 40000 /dev/full; exit 3",
            "exec <&-; head -c 300000 /dev/full; exit 4",
            (code(3), code(4), first_ends),
        ),
        ("exec >&-; read x; exit 3", "cat; exit 4", (code(3), code(4), second_ends)),
        ("sleep 0.3; exit 3", "cat; kill -9 $$", (code(3), signal(9), first_ends)),
        ("cat; exit 3", "(sleep 9; echo late) & exit 4", (code(3), code(4), second_ends)),
        ("exec >&-; cat; exit 3", "cat; sleep 0.3; exit 4", (code(3), code(4), first_ends)),
    ] {
        let pair = slot.run_pair(&sh(first), &sh(second), PairOptions::default()).unwrap();
        assert_eq!((pair.first.exit, pair.second.exit, pair.first_to_end), ends, "{first} | {second}");
    }
}
