raise ValueError("oh dear")
