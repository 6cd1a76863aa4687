package Total;
use strict;
use warnings;

sub of {
    my ($n, @numbers) = split ' ', shift;
    my $sum = 0;
    $sum += $_ for @numbers;
    return $sum;
}

1;
