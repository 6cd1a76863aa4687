with Ada.Integer_Text_IO;
with Ada.Text_IO;

procedure Main is
   N, X : Integer;
   Sum : Long_Long_Integer := 0;
begin
   Ada.Integer_Text_IO.Get (N);
   for I in 1 .. N loop
      Ada.Integer_Text_IO.Get (X);
      Sum := Sum + Long_Long_Integer (X);
   end loop;
   Ada.Text_IO.Put_Line (Long_Long_Integer'Image (Sum + 1));
end Main;
