const int FACTOR = {{factor}};
