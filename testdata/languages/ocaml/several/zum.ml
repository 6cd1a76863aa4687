let read () =
  let words = Str.split (Str.regexp "[ \n]+") (In_channel_all.of_stdin ()) in
  List.fold_left (fun sum word -> sum + int_of_string word) 0 (List.tl words)
