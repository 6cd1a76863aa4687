i = 0
i += 1 while true
