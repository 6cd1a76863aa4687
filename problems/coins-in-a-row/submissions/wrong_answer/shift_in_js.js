// Halves with a shift, which cuts to 32 bits.
const fs = require("fs");
const numbers = fs.readFileSync(0, "utf8").split(/\s+/).map(Number);
let at = 0;
const answers = [];

function solve(x) {
  const row = [];
  let sum = 0;
  for (let value of x) {
    sum += value;
    while (row.length >= 2 && row[row.length - 2] <= row[row.length - 1] && value <= row[row.length - 1]) {
      const peak = row.pop();
      value += row.pop() - peak;
    }
    row.push(value);
  }
  row.sort((a, b) => b - a);
  let ahead = 0;
  row.forEach((value, i) => (ahead += i % 2 === 0 ? value : -value));
  return (sum + ahead) >> 1;
}

for (let t = numbers[at++]; t > 0; t--) {
  const n = numbers[at++];
  const x = numbers.slice(at, at + n);
  at += n;
  answers.push(solve(x));
}
console.log(answers.join("\n"));
