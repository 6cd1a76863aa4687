def sum(
puts sum
