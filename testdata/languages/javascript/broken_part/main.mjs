import { readFileSync } from "fs";
import { total } from "./parts/total.js";

console.log(total(readFileSync(0, "utf8")));
