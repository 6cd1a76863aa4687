
// The validator may have made macros of these words.
#undef char
#undef int
#undef main
int main(int kopek_count, char **kopek_words) {
    return kopek::kopek_start(validator_main, kopek_count, kopek_words);
}
