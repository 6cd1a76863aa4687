main :- loop(0).

loop(N) :- M is (N + 1) /\ 1048575, loop(M).
