begin
    writeln(undeclared);
end.
