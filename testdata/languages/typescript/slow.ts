for (let i: number = 0; ; i++);
