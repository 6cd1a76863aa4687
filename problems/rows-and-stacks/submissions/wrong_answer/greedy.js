// Both take the greatest coin that can be reached.
const words = require("fs").readFileSync(0, "utf8").split(/\s+/);
let at = 1;
const rows = [];
let sum = 0;
for (let c = Number(words[0]); c > 0; c--) {
  const len = Number(words[at + 1]);
  const x = words.slice(at + 2, at + 2 + len).map(Number);
  at += 2 + len;
  sum += x.reduce((a, b) => a + b, 0);
  rows.push({ stack: words[at - 2 - len] === "S", x, i: 0, j: len - 1 });
}
// a heap of the ends would do for large tables; a scan does for small ones
let ahead = 0, sign = 1;
for (let steps = 0; steps < 1000; steps++) {
  let best = null, value = -1, left = true;
  for (const row of rows.slice(0, 1000)) {
    if (row.i > row.j) continue;
    if (row.x[row.i] > value) [best, value, left] = [row, row.x[row.i], true];
    if (!row.stack && row.x[row.j] > value) [best, value, left] = [row, row.x[row.j], false];
  }
  if (!best) break;
  if (left) best.i++;
  else best.j--;
  ahead += sign * value;
  sign = -sign;
}
console.log(ahead, (sum + ahead) / 2);
