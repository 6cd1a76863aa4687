program slow
  implicit none
  integer, volatile :: i
  i = 1
  do while (i /= 0)
    i = ior(iand(i + 1, 255), 1)
  end do
end program
