// Joins every solution.
