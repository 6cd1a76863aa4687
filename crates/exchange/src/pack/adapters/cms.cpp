
// checker input answer output: the share on standard output, the message on standard error.
namespace kopek {
int shares = -1, messages = -1;

void say_result(int code) {
    if (code != 42 && code != 43) _Exit(1);
    double part = code == 42 ? share() : 0;
    std::string line = first_line();
    if (line.empty()) line = part >= 1 ? "translate:success" : part > 0 ? "translate:partial" : "translate:wrong";
    dprintf(shares, "%.9f\n", part);
    dprintf(messages, "%s\n", line.c_str());
    _Exit(0);
}

template <class Entry> int kopek_start(Entry validator, int count, char **words) {
    if (count < 4) return 1;
    shares = copy_of(1), messages = copy_of(2);
    redirect(1, "/dev/null", to_write);
    redirect(2, "/dev/null", to_write);
    redirect(0, words[3], to_read);
    judge(validator, words[1], words[2]);
}
} // namespace kopek
