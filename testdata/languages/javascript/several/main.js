const { total } = require("./parts/total");

console.log(total(require("fs").readFileSync(0, "utf8")));
