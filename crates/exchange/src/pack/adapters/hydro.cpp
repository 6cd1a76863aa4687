
// checker input output answer points points_file message_file; interactor input unused answer.
namespace kopek {
const char *points, *points_file, *message_file;
int messages = -1;

// The result of an interactor is its first word on standard error.
void say_dialogue(double part, std::string line) {
    // Hydro obeys these words in a message, and a message may quote the submission.
    if (line.find("status(") != std::string::npos || line.find("score(") != std::string::npos) line.clear();
    if (part >= 1) dprintf(messages, "ok %s\n", line.c_str());
    // Hydro rounds points down. A share below 1 never becomes 1.
    else if (part > 0) dprintf(messages, "points %.9f %s\n", part + 1e-9 < 1 - 1e-9 ? part + 1e-9 : 1 - 1e-9, line.c_str());
    else dprintf(messages, "wrong answer %s\n", line.c_str());
}

bool write_points(double part, const std::string &line) {
    FILE *file = fopen(message_file, "w");
    if (!file || fprintf(file, "%s\n", line.c_str()) < 0 || fclose(file)) return false;
    double most = strtod(points, nullptr);
    file = fopen(points_file, "w");
    // A share below 1 never gets all points.
    return file && fprintf(file, "%lld\n", (long long)(part >= 1 ? most : most * part + 1e-9)) >= 0 && !fclose(file);
}

void say_result(int code) {
    if (code != 42 && code != 43) _Exit(3);
    double part = code == 42 ? share() : 0;
    if (interactive) say_dialogue(part, first_line());
    else if (!write_points(part, first_line())) _Exit(3);
    _Exit(0);
}

template <class Entry> int kopek_start(Entry validator, int count, char **words) {
    if (count < (interactive ? 4 : 7)) return 3;
    if (interactive) {
        survive_closed_pipes();
        messages = copy_of(2);
        redirect(2, "/dev/null", to_write);
    } else {
        points = words[4], points_file = words[5], message_file = words[6];
        redirect(0, words[2], to_read);
    }
    judge(validator, words[1], words[3]);
}
} // namespace kopek
