print("AC 1")
