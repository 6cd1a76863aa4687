def total(text) = text.split.drop(1).sum(&:to_i)
