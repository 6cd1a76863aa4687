read n
echo $((2 * n))
sleep 0.3
echo more
exit 0
