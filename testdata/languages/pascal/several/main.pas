program Main;
uses Summing;
begin
    writeln(ReadSum());
end.
