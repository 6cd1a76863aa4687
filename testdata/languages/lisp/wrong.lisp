(let ((n (read)))
  (format t "~d~%" (1+ (loop repeat n sum (read)))))
