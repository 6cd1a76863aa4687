let input = '';
process.stdin.on('data', piece => { input += piece; });
process.stdin.on('end', () => {
    const [count, ...coins] = input.match(/-?\d+/g).map(word => +word);
    let layer = coins.slice();
    const prefix = coins.reduce((sums, coin) => [...sums, sums[sums.length - 1] + coin], [0]);
    while (layer.length > 1) {
        const width = count - layer.length + 2;
        layer = layer.slice(1).map((other, at) => {
            const whole = prefix[at + width] - prefix[at];
            return whole - Math.min(layer[at], other);
        });
    }
    process.stdout.write(`${layer.length ? layer[0] : 0}\n`);
});
