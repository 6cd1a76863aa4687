const eaten = [];
for (;;) eaten.push(new Array(100000).fill(0.5));
