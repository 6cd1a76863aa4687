export function total(text: string): number {
    return text.trim().split(/\s+/).slice(1).map(Number).reduce((a, b) => a + b, 0);
}
