// Compares sums as text.
const fs = require("fs");
const numbers = fs.readFileSync(0, "utf8").split(/\s+/).map(Number);
let at = 0;
const answers = [];

function solve(x) {
  const n = x.length;
  let w = new Array(n + 1).fill("0");
  for (let length = 1; length <= n; length++) {
    const mine = (n - length) % 2 === 0;
    for (let i = 0; i + length <= n; i++) {
      const left = String((mine ? x[i] : 0) + Number(w[i + 1]));
      const right = String((mine ? x[i + length - 1] : 0) + Number(w[i]));
      w[i] = left > right === mine ? left : right;
    }
  }
  return w[0];
}

const n = numbers[at++];
const x = numbers.slice(at, at + n);
at += n;
const first = solve(x);
answers.push(first + " " + (x.reduce((a, b) => a + b, 0) - first));
console.log(answers.join("\n"));
