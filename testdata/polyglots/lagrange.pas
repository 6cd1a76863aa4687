{ right, with 16-bit sums: the class of 1989 }
program coins;
var
  t, n, m, k, i, len: integer;
  x, w: array[0..2001] of smallint;
  a, b: smallint;
begin
  read(t);
  while t > 0 do
  begin
    read(n, m, k);
    for i := 0 to n - 1 do read(x[i]);
    for i := 0 to n do w[i] := 0;
    for len := 1 to n do
      for i := 0 to n - len do
        if (n - len) mod m = k then
        begin
          a := x[i] + w[i + 1];
          b := x[i + len - 1] + w[i];
          if a > b then w[i] := a else w[i] := b;
        end
        else if w[i + 1] < w[i] then
          w[i] := w[i + 1];
    writeln(w[0]);
    t := t - 1;
  end;
end.
