require_relative "total"

puts total($stdin.read)
