import * as fs from "fs";

const tokens: number[] = fs.readFileSync(0, "utf8").trim().split(/\s+/).map(Number);
const sum: number = tokens.slice(1).reduce((a, b) => a + b, 0);
console.log(sum);
