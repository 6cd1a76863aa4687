read n
[ $n = 2 ] && echo 0 || echo $((2 * n))
