read -r n
read -r -a numbers
sum=0
for x in "${numbers[@]:0:n}"; do
    sum=$((sum + x))
done
echo $((sum))
