program total
  implicit none
  integer :: n
  integer(8), allocatable :: numbers(:)
  read *, n
  allocate(numbers(n))
  read *, numbers
  print '(i0)', sum(numbers)
end program
