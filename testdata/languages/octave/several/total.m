function s = total(x)
  s = sum(x(2:x(1) + 1));
end
