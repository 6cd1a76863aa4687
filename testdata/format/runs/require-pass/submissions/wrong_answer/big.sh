read n
[ $n = 60 ] && echo 0 || echo $((2 * n))
