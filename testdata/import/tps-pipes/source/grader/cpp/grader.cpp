#include <fstream>
int main(int, char **argv) { std::ifstream in(argv[1]); }
