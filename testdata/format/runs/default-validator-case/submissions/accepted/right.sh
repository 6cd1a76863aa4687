read n
case $n in 1) echo 2;; 2) echo Four;; *) echo Six;; esac
