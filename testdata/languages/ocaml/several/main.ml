let () = print_endline (string_of_int (Zum.read ()))
