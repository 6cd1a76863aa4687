// All lengths, one move at a time, in a typed array.
const numbers = require("fs").readFileSync(0, "utf8").split(/\s+/).map(Number);
let at = 0;
const answers = [];
for (let t = numbers[at++]; t > 0; t--) {
  const n = numbers[at++], m = numbers[at++], k = numbers[at++];
  const x = numbers.slice(at, at + n);
  at += n;
  const w = new Int32Array(n + 1);
  for (let length = 1; length <= n; length++) {
    const mine = (n - length) % m === k;
    for (let i = 0; i + length <= n; i++) {
      w[i] = mine ? Math.max(x[i] + w[i + 1], x[i + length - 1] + w[i]) : Math.min(w[i], w[i + 1]);
    }
  }
  answers.push(w[0]);
}
console.log(answers.join("\n"));
