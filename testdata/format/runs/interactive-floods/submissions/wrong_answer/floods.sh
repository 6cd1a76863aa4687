while echo 7 7 7 7 7 7 7; do :; done
