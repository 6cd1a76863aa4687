printf("%d\n", total(fscanf(stdin, "%d")));
