(let ((n (read)))
  (format t "~d~%" (loop repeat n sum (read))))
