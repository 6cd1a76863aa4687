
// checker input output answer points points_file message_file; interactor input unused answer.
[[maybe_unused]] static const char *points, *points_file, *message_file;
[[maybe_unused]] static int messages = -1;

void kopek::say_result(int code) {
    if (code != 42 && code != 43) _exit(3);
    double part = code == 42 ? share() : 0;
    std::string line = first_line();
#ifdef INTERACTIVE
    // Hydro obeys these words in a message, and a message may quote the submission.
    if (line.find("status(") != std::string::npos || line.find("score(") != std::string::npos) line.clear();
    if (part >= 1) dprintf(messages, "ok %s\n", line.c_str());
    // Hydro rounds points down. A share below 1 never becomes 1.
    else if (part > 0) dprintf(messages, "points %.9f %s\n", part + 1e-9 < 1 - 1e-9 ? part + 1e-9 : 1 - 1e-9, line.c_str());
    else dprintf(messages, "wrong answer %s\n", line.c_str());
#else
    FILE *file = fopen(message_file, "w");
    if (!file || fprintf(file, "%s\n", line.c_str()) < 0 || fclose(file)) _exit(3);
    double most = strtod(points, nullptr);
    file = fopen(points_file, "w");
    // A share below 1 never gets all points.
    if (!file || fprintf(file, "%lld\n", (long long)(part >= 1 ? most : most * part + 1e-9)) < 0 || fclose(file)) _exit(3);
#endif
    _exit(0);
}

int main(int count, char **words) {
#ifdef INTERACTIVE
    if (count < 4) return 3;
    signal(SIGPIPE, SIG_IGN);
    messages = dup(2);
    kopek::redirect(2, "/dev/null", O_WRONLY);
    kopek::judge(validator_main, words[1], words[3]);
#else
    if (count < 7) return 3;
    points = words[4], points_file = words[5], message_file = words[6];
    kopek::redirect(0, words[2], O_RDONLY);
    kopek::judge(validator_main, words[1], words[3]);
#endif
}
