unit Summing;

interface

function ReadSum(): int64;

implementation

function ReadSum(): int64;
var
    n, x, i: longint;
    total: int64;
begin
    total := 0;
    read(n);
    for i := 1 to n do
    begin
        read(x);
        total := total + x;
    end;
    ReadSum := total;
end;

end.
