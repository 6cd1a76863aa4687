read n
[ $n -lt 4 ] && echo $((2 * n)) || echo 0
