program crash
  stop 3
end program
