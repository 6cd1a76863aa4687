// The greater half of all cards.
const fs = require("fs");
const numbers = fs.readFileSync(0, "utf8").split(/\s+/).map(Number);
let at = 0;
const answers = [];

function solve(x) {
  const sorted = x.slice().sort((a, b) => b - a);
  return sorted.slice(0, Math.ceil(x.length / 2)).reduce((a, b) => a + b, 0);
}

const n = numbers[at++];
const x = numbers.slice(at, at + n);
at += n;
answers.push(solve(x));
console.log(answers.join("\n"));
