import { readFileSync } from "fs";
import { total } from "./total";

console.log(total(readFileSync(0, "utf8")));
