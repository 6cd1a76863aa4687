read n
case $n in 1) echo 2;; 2) echo four;; *) echo six;; esac
