// Both take the greatest coin that is left, wherever it lies.
const fs = require("fs");
const numbers = fs.readFileSync(0, "utf8").split(/\s+/).map(Number);
let at = 0;
const answers = [];

function solve(x) {
  const sorted = x.slice().sort((a, b) => b - a);
  let sum = 0;
  for (let i = 0; i < sorted.length; i += 2) sum += sorted[i];
  return sum;
}

for (let t = numbers[at++]; t > 0; t--) {
  const n = numbers[at++];
  const x = numbers.slice(at, at + n);
  at += n;
  answers.push(solve(x));
}
console.log(answers.join("\n"));
