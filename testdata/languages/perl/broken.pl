use strict;
print $undeclared;
