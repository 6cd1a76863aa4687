
// checker input answer output: the share on standard output, the message on standard error.
static int shares = -1, messages = -1;

void kopek::say_result(int code) {
    if (code != 42 && code != 43) _exit(1);
    double part = code == 42 ? share() : 0;
    std::string line = first_line();
    if (line.empty()) line = part >= 1 ? "translate:success" : part > 0 ? "translate:partial" : "translate:wrong";
    dprintf(shares, "%.9f\n", part);
    dprintf(messages, "%s\n", line.c_str());
    _exit(0);
}

int main(int count, char **words) {
    if (count < 4) return 1;
    shares = dup(1), messages = dup(2);
    kopek::redirect(1, "/dev/null", O_WRONLY);
    kopek::redirect(2, "/dev/null", O_WRONLY);
    kopek::redirect(0, words[3], O_RDONLY);
    kopek::judge(validator_main, words[1], words[2]);
}
