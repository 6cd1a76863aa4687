
// checker input output answer; interactor input answer, in older versions input unused answer.
// 0: full points, 1: none, 7: a part, 3: the judge failed.
namespace kopek {
int points = -1, messages = -1;

void say_result(int code) {
    if (code != 42 && code != 43) _Exit(3);
    double part = code == 42 ? share() : 0;
    std::string line = first_line();
    if (messages >= 0 && !line.empty()) dprintf(messages, "%s\n", line.c_str());
    if (part <= 0) _Exit(1);
    if (part >= 1) _Exit(0);
    long long millionths = part * 1e6 + 0.5;
    dprintf(points, "partial %lld/1000000\n", millionths < 1 ? 1 : millionths > 999999 ? 999999 : millionths);
    _Exit(7);
}

template <class Entry> int kopek_start(Entry validator, int count, char **words) {
    if (count < (interactive ? 3 : 4)) return 3;
    // DMOJ could take the validator's own messages for points.
    points = copy_of(2);
    redirect(2, "/dev/null", to_write);
    if (interactive) {
        survive_closed_pipes();
    } else {
        messages = copy_of(1);
        redirect(1, "/dev/null", to_write);
        redirect(0, words[2], to_read);
    }
    judge(validator, words[1], words[count - 1]);
}
} // namespace kopek
