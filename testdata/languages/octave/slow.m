i = 0;
while true
  i = i + 1;
end
