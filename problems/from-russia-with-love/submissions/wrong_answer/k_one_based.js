// Reads k as if players were numbered from one.
const tokens = require("fs").readFileSync(0, "utf8").split(/\s+/).map(Number);
let at = 0;
let t = tokens[at++];
while (t-- > 0) {
  const n = tokens[at++], m = tokens[at++], k = tokens[at++] - 1;
  const x = tokens.slice(at, at + n);
  at += n;
  const w = new Array(n + 1).fill(0);
  for (let length = 1; length <= n; length++) {
    const mine = (n - length) % m === k;
    for (let i = 0; i + length <= n; i++) {
      const left = w[i + 1], right = w[i];
      w[i] = mine ? Math.max(left + x[i], right + x[i + length - 1]) : Math.min(left, right);
    }
  }
  console.log(w[0]);
}
