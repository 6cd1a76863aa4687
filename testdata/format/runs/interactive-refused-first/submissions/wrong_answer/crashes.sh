read n
echo 1
sleep 0.3
exit 1
