x = 7
if x
