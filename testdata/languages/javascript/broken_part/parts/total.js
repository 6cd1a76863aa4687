export const total = (text) => text.trim().split(/\s+/).slice(1).reduce((sum, x) => sum + Number(x), 0;
