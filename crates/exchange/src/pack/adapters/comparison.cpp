// Written by `kopek pack`: the default comparison of the problem package format.
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Words, and the blanks before, between and behind them.
static void split(const std::string &text, std::vector<std::string> &words, std::vector<std::string> &blanks) {
    size_t at = 0;
    while (true) {
        size_t start = at;
        while (at < text.size() && is_blank(text[at])) at++;
        blanks.push_back(text.substr(start, at - start));
        if (at == text.size()) return;
        start = at;
        while (at < text.size() && !is_blank(text[at])) at++;
        words.push_back(text.substr(start, at - start));
    }
}

// A number of the format: no hexadecimal, no infinity.
static bool read_number(const std::string &word, long double &value) {
    size_t at = 0, digits = 0;
    auto skip_digits = [&] {
        size_t start = at;
        while (at < word.size() && word[at] >= '0' && word[at] <= '9') at++;
        return at - start;
    };
    auto skip_sign = [&] { if (at < word.size() && (word[at] == '+' || word[at] == '-')) at++; };
    skip_sign();
    digits = skip_digits();
    if (at < word.size() && word[at] == '.') at++, digits += skip_digits();
    if (digits == 0) return false;
    if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
        at++;
        skip_sign();
        if (skip_digits() == 0) return false;
    }
    if (at != word.size()) return false;
    value = strtold(word.c_str(), nullptr);
    return true;
}

static bool same_text(const std::string &a, const std::string &b, bool case_sensitive) {
    if (case_sensitive || a.size() != b.size()) return a == b;
    auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; };
    for (size_t i = 0; i < a.size(); i++)
        if (lower(a[i]) != lower(b[i])) return false;
    return true;
}

int main(int count, char **arguments) {
    bool case_sensitive = false, space_sensitive = false;
    long double absolute = -1, relative = -1;
    for (int i = 4; i < count; i++) {
        std::string word = arguments[i];
        if (word == "case_sensitive") case_sensitive = true;
        else if (word == "space_change_sensitive") space_sensitive = true;
        else if (i + 1 < count) {
            long double tolerance = strtold(arguments[++i], nullptr);
            if (word != "float_relative_tolerance") absolute = tolerance;
            if (word != "float_absolute_tolerance") relative = tolerance;
        }
    }
    std::ifstream file(arguments[2], std::ios::binary);
    std::string answer((std::istreambuf_iterator<char>(file)), {});
    std::string output((std::istreambuf_iterator<char>(std::cin)), {});
    std::vector<std::string> words[2], blanks[2];
    split(answer, words[0], blanks[0]);
    split(output, words[1], blanks[1]);
    if (words[0].size() != words[1].size()) exit(43);
    if (space_sensitive && blanks[0] != blanks[1]) exit(43);
    for (size_t i = 0; i < words[0].size(); i++) {
        const std::string &right = words[0][i], &own = words[1][i];
        long double a, b;
        if ((absolute >= 0 || relative >= 0) && read_number(right, a)) {
            if (!read_number(own, b)) exit(43);
            long double distance = fabsl(a - b);
            if (!(absolute >= 0 && distance <= absolute) && !(relative >= 0 && distance <= relative * fabsl(a)))
                exit(43);
        } else if (!same_text(right, own, case_sensitive)) {
            exit(43);
        }
    }
    exit(42);
}
