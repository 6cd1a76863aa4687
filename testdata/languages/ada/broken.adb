procedure Main is
begin
   Undeclared;
end Main;
