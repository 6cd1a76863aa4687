program Sum;
var
    n, x: longint;
    total: int64;
begin
    total := 0;
    read(n);
    while n > 0 do
    begin
        read(x);
        total := total + x;
        n := n - 1;
    end;
    writeln(total + 1);
end.
