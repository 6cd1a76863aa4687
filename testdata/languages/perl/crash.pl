die "seven";
