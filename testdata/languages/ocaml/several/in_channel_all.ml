let of_stdin () =
  let buffer = Buffer.create 80 in
  (try
     while true do
       Buffer.add_channel buffer stdin 1
     done
   with End_of_file -> ());
  Buffer.contents buffer
