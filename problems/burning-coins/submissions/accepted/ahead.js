// The difference of both piles, in a typed array.
const fs = require("fs");
const numbers = fs.readFileSync(0, "utf8").split(/\s+/).map(Number);
let at = 0;
const answers = [];

function solve(x) {
  const n = x.length;
  const w = new Float64Array(n + 1);
  for (let length = 1; length <= n; length++) {
    for (let i = 0; i + length <= n; i++) {
      w[i] = Math.max(x[i] - w[i + 1], x[i + length - 1] - w[i]);
    }
  }
  return (x.reduce((a, b) => a + b, 0) + w[0]) / 2;
}

for (let t = numbers[at++]; t > 0; t--) {
  const n = numbers[at++];
  const x = numbers.slice(at, at + n);
  at += n;
  answers.push(solve(x));
}
console.log(answers.join("\n"));
