read n
[ $n -gt 1 ] && echo $((2 * n)) || echo 0
