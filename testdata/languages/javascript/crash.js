const nothing = undefined;
console.log(nothing.length);
