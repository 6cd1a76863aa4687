read n
echo $((2 * n))
sleep 0.3
exit 3
