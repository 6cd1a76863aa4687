let () = print_int "seven"
