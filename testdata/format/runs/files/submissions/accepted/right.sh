read n
if [ $n = 1 ]; then echo 2; else cat word.txt; [ ! -e below ] || cat below/more.txt; fi
