var
    i: longint;
begin
    i := 1;
    while i <> 0 do
        i := (i + 1) or 1;
end.
