use strict;
use warnings;

my $n = <STDIN>;
my $sum = 0;
$sum += $_ for split ' ', <STDIN>;
print $sum, "\n";
