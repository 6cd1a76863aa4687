let () =
  let i = ref 1 in
  while !i <> 0 do
    i := (!i + 1) lor 1
  done
