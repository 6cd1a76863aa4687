const tokens = require("fs").readFileSync(0, "utf8").trim().split(/\s+/).map(Number);
const sum = tokens.slice(1).reduce((a, b) => a + b, 0);
console.log(sum + 1);
