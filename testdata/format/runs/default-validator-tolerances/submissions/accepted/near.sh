read n
[ $n = 1 ] && echo 2 || echo $((2 * n)).05
