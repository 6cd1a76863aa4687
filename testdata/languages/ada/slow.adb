procedure Main is
   I : Integer := 1;
   pragma Volatile (I);
begin
   while I /= 0 loop
      I := (I + 1) mod 256 + 1;
   end loop;
end Main;
