function total(a, b: longint): longint;
begin
    total := a + b;
end;
