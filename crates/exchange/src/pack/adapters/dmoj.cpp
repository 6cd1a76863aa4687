
// checker input output answer; interactor input answer, in older versions input unused answer.
// 0: full points, 1: none, 7: a part, 3: the judge failed.
static int points = -1, messages = -1;

void kopek::say_result(int code) {
    if (code != 42 && code != 43) _exit(3);
    double part = code == 42 ? share() : 0;
    std::string line = first_line();
    if (messages >= 0 && !line.empty()) dprintf(messages, "%s\n", line.c_str());
    if (part <= 0) _exit(1);
    if (part >= 1) _exit(0);
    long long millionths = part * 1e6 + 0.5;
    dprintf(points, "partial %lld/1000000\n", millionths < 1 ? 1 : millionths > 999999 ? 999999 : millionths);
    _exit(7);
}

int main(int count, char **words) {
#ifdef INTERACTIVE
    const int fewest = 3;
    signal(SIGPIPE, SIG_IGN);
#else
    const int fewest = 4;
#endif
    if (count < fewest) return 3;
    // DMOJ could take the validator's own messages for points.
    points = dup(2);
    kopek::redirect(2, "/dev/null", O_WRONLY);
#ifndef INTERACTIVE
    messages = dup(1);
    kopek::redirect(1, "/dev/null", O_WRONLY);
    kopek::redirect(0, words[2], O_RDONLY);
#endif
    kopek::judge(validator_main, words[1], words[count - 1]);
}
