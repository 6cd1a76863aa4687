# @check-accepted
read a b
echo $((a + b))
