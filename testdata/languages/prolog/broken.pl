main :- write(hello, nl.
