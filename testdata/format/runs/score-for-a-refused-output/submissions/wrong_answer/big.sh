read n
[ $n -lt 50 ] && echo $((2 * n)) || echo 0
