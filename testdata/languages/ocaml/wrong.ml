let () =
  Scanf.scanf " %d" (fun n ->
      let sum = ref 0 in
      for _ = 1 to n do
        Scanf.scanf " %d" (fun x -> sum := !sum + x)
      done;
      Printf.printf "%d\n" (!sum + 1))
