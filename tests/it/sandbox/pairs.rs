//! Two programs connected crosswise.

use super::*;

fn talk() -> Talk {
    Talk { transcript: Some(Bytes::kib(1)), enough: None }
}

#[test]
fn two_programs_talk_and_who_ended_first_is_known() {
    let mut slot = open().slot(None);
    let (ask, answer) = (sh("echo 5; read x; echo got $x >&2"), sh("read x; echo $((x*2)); cat"));
    for _ in 0..20 {
        let pair = slot.run_pair(&ask, &answer, talk()).unwrap();
        assert_eq!(pair.ended, Ended::First);
        assert_eq!((pair.first.exit, pair.second.exit), (Exit::Code(0), Exit::Code(0)));
        assert_eq!(pair.first.stderr.bytes().unwrap(), b"got 10\n");
        let said: Vec<_> = pair.transcript.iter().map(|t| (t.speaker, t.bytes.clone())).collect();
        assert_eq!(said, [(Ended::First, b"5\n".to_vec()), (Ended::Second, b"10\n".to_vec())]);
    }
}

#[test]
fn the_second_can_end_first_as_reliably() {
    let mut slot = open().slot(None);
    let (wait, leave) = (sh("cat; exit 3"), sh("exit 4"));
    for _ in 0..20 {
        let pair = slot.run_pair(&wait, &leave, Talk::default()).unwrap();
        assert_eq!(pair.ended, Ended::Second);
        assert_eq!((pair.first.exit, pair.second.exit), (Exit::Code(3), Exit::Code(4)));
        assert!(pair.transcript.is_empty());
    }
}

#[test]
fn a_deadlock_ends_by_the_wall_limit() {
    let mut slot = open().slot(None);
    let mut listen = sh("read x");
    listen.limits.wall = Duration::from_millis(300);
    let pair = slot.run_pair(&listen, &sh("read x; exit 5"), talk()).unwrap();
    assert_eq!(pair.first.exit, Exit::Exceeded(Limit::Wall));
    assert_eq!((pair.ended, pair.second.exit), (Ended::First, Exit::Code(5)));
}

#[test]
fn nobody_goes_on_after_the_word_that_is_enough() {
    let mut slot = open().slot(None);
    let (refuses, goes_on) = (sh("read x; exit 43"), sh("echo 5; while :; do :; done"));
    let talk = Talk { enough: Some(43), ..talk() };
    for _ in 0..3 {
        let pair = slot.run_pair(&refuses, &goes_on, talk).unwrap();
        assert_eq!((pair.ended, pair.first.exit), (Ended::First, Exit::Code(43)));
        let cpu = pair.second.usage.cpu;
        assert!(cpu < goes_on.limits.cpu / 2 && pair.second.exit != Exit::Exceeded(Limit::Cpu), "{cpu:?}");
    }
    let after = slot.run_pair(&sh("read x"), &sh("echo 5; cat; exit 7"), talk).unwrap();
    assert_eq!(after.second.exit, Exit::Code(7));
}

#[test]
fn closing_an_output_is_heard_though_its_owner_lives() {
    let mut slot = open().slot(None);
    let (closes, counts) = (sh("echo a; exec >&-; read x; test $x = 1"), sh("echo $(wc -l)"));
    let pair = slot.run_pair(&closes, &counts, talk()).unwrap();
    assert_eq!((pair.first.exit, pair.second.exit), (Exit::Code(0), Exit::Code(0)), "{pair:?}");
}

#[test]
fn who_speaks_to_the_dead_is_not_killed_for_it() {
    let mut slot = open().slot(None);
    let pair =
        slot.run_pair(&sh("head -c 500000 /dev/zero; exit 6"), &sh("exit 0"), Talk::default()).unwrap();
    assert_eq!(
        (pair.first.exit, pair.second.exit, pair.ended),
        (Exit::Code(6), Exit::Code(0), Ended::Second)
    );
}

#[test]
fn who_says_too_much_is_stopped_and_who_does_not_listen_is_waited_for() {
    let mut slot = open().slot(None);
    let pair = slot.run_pair(&sh("yes"), &sh("cat > /dev/null"), Talk::default()).unwrap();
    assert_eq!(pair.first.exit, Exit::Exceeded(Limit::Output));
    let mut deaf = sh("sleep 9");
    deaf.limits.wall = Duration::from_millis(300);
    let mut loud = sh("head -c 900000 /dev/zero; exit 6");
    loud.limits.wall = Duration::from_secs(20);
    let pair = slot.run_pair(&loud, &deaf, Talk::default()).unwrap();
    assert_eq!((pair.first.exit, pair.second.exit), (Exit::Code(6), Exit::Exceeded(Limit::Wall)));
    assert_eq!(pair.ended, Ended::Second);
}

#[test]
fn many_short_words_are_carried_quickly() {
    let mut slot = open().slot(None);
    let say = "import sys\nfor i in range(2000):\n  print(i, flush=True)\n  assert sys.stdin.readline() == f'{i}\\n'";
    let echo = "import sys\nfor line in sys.stdin:\n  sys.stdout.write(line); sys.stdout.flush()";
    let (mut say, mut echo) = (exec(&["python3", "-c", say]), exec(&["python3", "-c", echo]));
    (say.limits.wall, echo.limits.wall) = (Duration::from_secs(60), Duration::from_secs(60));
    let pair = slot.run_pair(&say, &echo, Talk::default()).unwrap();
    assert_eq!((pair.first.exit, pair.second.exit), (Exit::Code(0), Exit::Code(0)), "{pair:?}");
    assert!(pair.first.usage.wall < Duration::from_secs(30), "{pair:?}");
}
