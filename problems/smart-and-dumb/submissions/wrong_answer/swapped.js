// The two numbers in the wrong order.
const fs = require("fs");
const numbers = fs.readFileSync(0, "utf8").split(/\s+/).map(Number);
let at = 0;
const answers = [];

function play(x, choose) {
  const n = x.length;
  const w = new Int32Array(n + 1);
  for (let length = 1; length <= n; length++) {
    for (let i = 0; i + length <= n; i++) {
      if ((n - length) % 2 === 0) w[i] = Math.max(x[i] + w[i + 1], x[i + length - 1] + w[i]);
      else w[i] = choose(w[i], w[i + 1]);
    }
  }
  return w[0];
}

const hostile = (x) => play(x, Math.max);
const helped = (x) => play(x, Math.min);

for (let t = numbers[at++]; t > 0; t--) {
  const n = numbers[at++];
  const x = numbers.slice(at, at + n);
  at += n;
  answers.push(helped(x) + " " + hostile(x));
}
console.log(answers.join("\n"));
