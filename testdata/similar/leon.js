const fs = require("fs");

function readNumbers() {
    const text = fs.readFileSync(0, "utf8");
    return text.trim().split(/\s+/).map(Number);
}

function createTable(size) {
    const table = [];
    for (let i = 0; i < size; i++) {
        table.push(new Array(size).fill(0));
    }
    return table;
}

function bestGain(coins) {
    const size = coins.length;
    const table = createTable(size);
    for (let from = size - 1; from >= 0; from--) {
        table[from][from] = coins[from];
        for (let to = from + 1; to < size; to++) {
            const left = coins[from] - table[from + 1][to];
            const right = coins[to] - table[from][to - 1];
            table[from][to] = left > right ? left : right;
        }
    }
    return size > 0 ? table[0][size - 1] : 0;
}

function main() {
    const numbers = readNumbers();
    const coins = numbers.slice(1);
    let sum = 0;
    for (const coin of coins) {
        sum += coin;
    }
    console.log((sum + bestGain(coins)) / 2);
}

main();
