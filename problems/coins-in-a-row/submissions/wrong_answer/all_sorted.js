// Both take the greatest coin that is left, wherever it lies.
const fs = require("fs");
const numbers = fs.readFileSync(0, "utf8").split(/\s+/).map(Number);
let at = 0;
const answers = [];

function solve(x) {
  const sorted = Float64Array.from(x).sort();
  let sum = 0;
  for (let i = sorted.length - 1; i >= 0; i -= 2) sum += sorted[i];
  return sum;
}

for (let t = numbers[at++]; t > 0; t--) {
  const n = numbers[at++];
  const x = numbers.slice(at, at + n);
  at += n;
  answers.push(solve(x));
}
console.log(answers.join("\n"));
