program broken
  implicit none
  print *, undeclared
end program
