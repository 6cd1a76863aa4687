BEGIN { print "seven"
