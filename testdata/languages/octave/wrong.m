x = fscanf(stdin, "%d");
printf("%d\n", sum(x(2:x(1) + 1)) + 1);
