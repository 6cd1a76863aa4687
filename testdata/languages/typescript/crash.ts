const table: { [key: string]: number[] } = {};
console.log(table["absent"].length);
