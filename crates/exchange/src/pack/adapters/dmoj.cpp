
// checker input output answer; interactor input answer. 0: full points, 1: none, 7: a part, 3: the judge failed.
[[maybe_unused]] static int messages = -1;

void kopek::say_result(int code) {
    if (code != 42 && code != 43) _exit(3);
    double part = code == 42 ? share() : 0;
    std::string line = first_line();
    if (messages >= 0 && !line.empty()) dprintf(messages, "%s\n", line.c_str());
    if (part <= 0) _exit(1);
    if (part >= 1) _exit(0);
    dprintf(2, "%spartial %lld/1000000\n", messages < 0 ? (line + "\n").c_str() : "", (long long)(part * 1e6 + 0.5));
    _exit(7);
}

int main(int count, char **words) {
#ifdef INTERACTIVE
    if (count < 3) return 3;
    signal(SIGPIPE, SIG_IGN);
    kopek::judge(validator_main, words[1], words[2]);
#else
    if (count < 4) return 3;
    messages = dup(1);
    kopek::redirect(1, "/dev/null", O_WRONLY);
    kopek::redirect(0, words[2], O_RDONLY);
    kopek::judge(validator_main, words[1], words[3]);
#endif
}
