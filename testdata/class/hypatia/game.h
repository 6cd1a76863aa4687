#pragma once
#include <vector>

int guaranteed(const std::vector<int>& coins, int players, int me);
