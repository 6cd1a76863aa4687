var i = 1
while i != 0 {
    i = (i &+ 1) | 1
}
