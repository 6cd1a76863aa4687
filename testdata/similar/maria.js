const lines = require('fs').readFileSync('/dev/stdin').toString().split('\n');
const n = parseInt(lines[0]);
const c = (lines[1] || '').split(' ').filter(w => w).map(w => parseInt(w));
const cache = {};

const play = (i, j) => {
    if (j < i) return [0, 0];
    const key = i + ',' + j;
    if (cache[key]) return cache[key];
    const [a1, b1] = play(i + 1, j);
    const [a2, b2] = play(i, j - 1);
    const left = [c[i] + b1, a1];
    const right = [c[j] + b2, a2];
    return cache[key] = left[0] >= right[0] ? left : right;
};

console.log(play(0, n - 1)[0]);
