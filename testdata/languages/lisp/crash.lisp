(error "no way on")
