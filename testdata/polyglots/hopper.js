// forgets that a player may come on only once or never: k is not used after the first round
const data = require("fs").readFileSync(0, "utf8").trim().split("\n");
let line = 1;
for (let t = Number(data[0]); t > 0; t--) {
  const [n, m, k] = data[line++].split(" ").map(Number);
  const x = data[line++].split(" ").map(Number);
  let dp = new Array(n + 1).fill(0);
  for (let len = 1; len <= n; len++) {
    const mine = (n - len) % m === m - 1;
    const next = [];
    for (let i = 0; i + len <= n; i++) {
      if (mine) next.push(Math.max(x[i] + dp[i + 1], x[i + len - 1] + dp[i]));
      else next.push(Math.min(dp[i], dp[i + 1]));
    }
    dp = next;
  }
  console.log(dp[0]);
}
