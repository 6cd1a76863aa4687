(format t "never closed"
