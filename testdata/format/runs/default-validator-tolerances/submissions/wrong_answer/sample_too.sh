read n
echo $((2 * n)).05
