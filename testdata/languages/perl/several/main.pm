use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Total;

print Total::of(join ' ', <STDIN>), "\n";
