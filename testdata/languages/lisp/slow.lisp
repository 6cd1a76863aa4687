(let ((i 1)) (loop until (zerop i) do (setf i (1+ (mod i 7)))))
