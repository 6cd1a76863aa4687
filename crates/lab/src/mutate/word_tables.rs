//! Signs and words that people confuse, and words that mutations must know.

/// Signs that are easily confused.
pub(super) const SIGNS: [(&str, &[&str], &str); 20] = [
    ("<", &["<=", ">"], "comparison"),
    ("<=", &["<", ">="], "comparison"),
    (">", &[">=", "<"], "comparison"),
    (">=", &[">", "<="], "comparison"),
    ("==", &["!="], "comparison"),
    ("!=", &["=="], "comparison"),
    ("+", &["-"], "arithmetic"),
    ("-", &["+"], "arithmetic"),
    ("*", &["+"], "arithmetic"),
    ("/", &["*"], "arithmetic"),
    ("//", &["*"], "arithmetic"),
    ("%", &["/"], "arithmetic"),
    ("+=", &["-=", "="], "assignment"),
    ("-=", &["+=", "="], "assignment"),
    ("*=", &["+="], "assignment"),
    ("&&", &["||"], "condition"),
    ("||", &["&&"], "condition"),
    ("++", &["--"], "arithmetic"),
    ("..", &["..="], "range"),
    ("..=", &[".."], "range"),
];

/// Words that are easily confused.
pub(super) const WORDS: [(&str, &[&str], &str); 20] = [
    ("min", &["max"], "min and max"),
    ("max", &["min"], "min and max"),
    ("and", &["or"], "condition"),
    ("or", &["and"], "condition"),
    ("True", &["False"], "constant"),
    ("False", &["True"], "constant"),
    ("true", &["false"], "constant"),
    ("false", &["true"], "constant"),
    ("break", &["continue"], "jump"),
    ("continue", &["break"], "jump"),
    ("int64_t", &["int32_t"], "narrower type"),
    ("uint64_t", &["uint32_t"], "narrower type"),
    ("i64", &["i32"], "narrower type"),
    ("u64", &["u32"], "narrower type"),
    ("i128", &["i64"], "narrower type"),
    ("double", &["float"], "narrower type"),
    ("f64", &["f32"], "narrower type"),
    ("lower_bound", &["upper_bound"], "search"),
    ("upper_bound", &["lower_bound"], "search"),
    ("bisect_left", &["bisect_right"], "search"),
];

/// Types whose angle brackets are not comparisons.
pub(super) const TYPES: [&str; 30] = [
    "int",
    "long",
    "char",
    "bool",
    "double",
    "float",
    "auto",
    "vector",
    "pair",
    "map",
    "set",
    "array",
    "string",
    "tuple",
    "deque",
    "queue",
    "stack",
    "i32",
    "i64",
    "u32",
    "u64",
    "usize",
    "u8",
    "i128",
    "f64",
    "str",
    "priority_queue",
    "unordered_map",
    "unordered_set",
    "function",
];

/// Beginnings of statements to keep: without them nothing compiles, or nothing changes.
pub(super) const KEPT_STATEMENTS: [&str; 28] = [
    "return", "int", "long", "let", "auto", "const", "static", "using", "use", "import", "package",
    "typedef", "struct", "class", "public", "private", "unsigned", "char", "bool", "double", "float", "case",
    "default", "else", "for", "do", "while", "if",
];

pub(super) const PYTHON_WORDS: [&str; 20] = [
    "import", "from", "def", "class", "return", "if", "elif", "else", "for", "while", "try", "except",
    "finally", "with", "pass", "global", "nonlocal", "assert", "raise", "lambda",
];
