//! All sentences. A sentence is a key with arguments; `*.ftl` has its text in each language.

use super::arguments::{Argument, Decimal, Listed, Names, Span};
use serde::{Deserialize, Serialize};

macro_rules! sentences {
    ($($name:ident $({ $($field:ident: $kind:ty),* })?,)*) => {
        /// What a participant reads. English is a table like the others.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "code", content = "arguments", rename_all = "kebab-case")]
        pub enum Said {
            $($name $({ $($field: $kind),* })?,)*
        }

        impl Said {
            fn name(&self) -> &'static str {
                match self {
                    $(Said::$name { .. } => stringify!($name),)*
                }
            }

            pub(super) fn each_argument(&self, take: &mut dyn FnMut(&'static str, &dyn Argument)) {
                match self {
                    $(Said::$name { $($($field),*)? } => {
                        $($(take(stringify!($field), $field);)*)?
                    })*
                }
            }

            #[cfg(test)]
            pub(super) fn examples() -> Vec<Said> {
                vec![$(Said::$name { $($($field: Argument::example(stringify!($field))),*)? },)*]
            }
        }
    };
}

impl Said {
    /// A text that is no sentence of ours, or for the teacher only.
    pub fn foreign(text: impl Into<String>) -> Said {
        Said::Foreign { text: text.into() }
    }

    /// The key in the tables and in JSON: `group-skipped`.
    pub fn code(&self) -> String {
        let mut code = String::new();
        for letter in self.name().chars() {
            if letter.is_ascii_uppercase() && !code.is_empty() {
                code.push('-');
            }
            code.push(letter.to_ascii_lowercase());
        }
        code
    }
}

sentences! {
    // Headings and labels of pages
    SkipToResults,
    ResultsByGroup,
    CasesTitle,
    CaseColumn,
    ResultColumn,
    HappenedColumn,
    TestColumn,
    HappenedTitle,
    YourProgramTitle,
    YourGrade,
    CompilerSaysTitle,
    CompilerSays,
    WholeMessage,
    FailingInputTitle,
    NoText,
    NoSubmissionHere,
    JudgedAt { date: String, version: String },
    Excused,
    LimitsWithReason { time: Decimal, reason: Box<Said>, memory: Decimal },
    Limits { time: Decimal, memory: Decimal },
    AboveIsRepeated,
    OneRunDecided,
    OneRunDecides,
    About { place: Box<Said>, reason: Box<Said> },

    // Values in sentences
    Name { name: String },
    Foreign { text: String },
    Number { number: Decimal },
    Titled { title: String },
    NotKnown,
    NamesAndMore { names: String, number: usize },
    Separator { before: String, after: String },
    Several { parts: Vec<Said> },
    Weeks { number: usize },
    Days { number: usize },
    Hours { number: usize },
    Minutes { number: usize },
    Seconds { number: usize },
    SpanOf { span: Span },

    // Groups and cases
    Samples,
    SecretCases,
    GroupHeading { name: String },
    GroupNamed { name: String },
    CaseOfGroup { case: String, group: Box<Said> },
    CaseNamed { case: String },
    Cases { number: usize },
    MoreCases { number: usize },
    CasesSomeRight { count: Box<Said>, number: usize },
    CasesRight { count: Box<Said> },
    CasesSkippedBecause { count: Box<Said>, reason: Box<Said> },
    CasesSkipped { count: Box<Said> },
    CasesNotRun { count: Box<Said> },
    GroupSkipped { group: Box<Said> },
    GroupIsLost,
    ResultIsKnown,
    MoreLines { number: usize },
    MoreLetters { number: usize },
    Lines { number: usize },
    EarlierLines { number: usize },
    PointsOfMax { points: Decimal, max: Decimal },
    Points { points: Decimal },

    // Verdicts and states
    Accepted,
    WrongAnswer,
    TimeLimit,
    IdleLimit,
    MemoryLimit,
    OutputLimit,
    RunTimeError,
    CompileError,
    NoProgram,
    NotJudged,
    TrialsMissing { number: usize },
    NeedsGroup { group: String },
    Skipped,

    // What happened on a case
    Right,
    RightIn { time: Decimal },
    GaveWrongAnswer,
    TookLongerStopped { limit: Decimal, time: Decimal },
    TookLongerDone { limit: Decimal, time: Decimal },
    TookLonger { limit: Decimal },
    WaitedTooLong,
    NeededMoreMemory { limit: Decimal },
    WroteTooMuch,
    CrashedBecause { reason: Box<Said> },
    Crashed,
    DoesNotCompile,
    NothingToRun,
    PrintedInstead { found: String, expected: String },
    EndsBefore { expected: String },
    PrintedAfterEnd { found: String },
    OutputDiffers,
    AtLineBecause { line: u64, error: String },
    AtLine { line: u64 },
    SignsOfDifference,
    WroteOnStderr { case: String },
    JudgeLabel,
    InputLabel,
    ExpectedLabel,
    StderrLabel,
    ArgumentsLabel,
    FilesLabel,
    Input,
    ExpectedOutput,
    YourOutput,
    YourStderr,
    Conversation,
    FirstLinesOf { reason: Box<Said>, number: usize },
    FirstLines { reason: Box<Said> },
    NothingOf { reason: Box<Said> },
    FailsOnSample { sample: String },
    FailsOnInput,
    FailsOnSuchInput,
    FailsFrom { fails: u64, passes: u64 },
    ArrayTooSmall { number: u64 },
    ProgramEnded { state: Box<Said>, reason: Box<Said> },
    HintOfCase { reason: String },
    Hint { reason: Box<Said> },

    // How a program ended
    EndedWell,
    ExitCode { number: i32 },
    KilledBy { signal: String, reason: Box<Said> },
    KilledBySignal { number: i32 },
    StoppedBy { reason: Box<Said> },
    CpuTime,
    Waited,
    Memory,
    TooMuchOutput,
    TooMuchInFiles,
    TooManyProcesses,
    StartedTooMany,
    IllegalInstruction,
    Aborted,
    NoSuchMemory,
    DivisionByZero,
    Killed,
    InvalidMemory,
    ReaderGone,
    Terminated,
    FileTooLarge,
    ForbiddenCall,
    RightOutput,
    OutputNotWritten,
    SampleFileNotNeeded { case: String },
    NoFileFor { case: String },
    InPass { number: u64 },
    AfterThat { fault: String },

    // Results that are open
    TeacherChooses { files: Names },
    NotCompletelyJudged,
    RanNearLimit { group: Box<Said> },
    NotMeasured { group: Box<Said> },
    OthersNotJudged { file: String, files: Names },
    ProblemHasError,
    JudgingTookLong,
    NotAllJudged,
    NoSamples,

    // Decisions, points by hand, lateness
    DecidedBy { by: String, comment: String },
    CaseWas { reason: Box<Said> },
    CaseDecided { case: String, state: Box<Said>, by: String, comment: String },
    OfTotal { reason: Box<Said> },
    PointsByHand { before: Box<Said>, after: Box<Said>, by: Box<Said> },
    ExcusedByHand { by: Box<Said> },
    ByHand { by: Box<Said> },
    ByWithComment { by: String, comment: String },
    Penalty { points: Decimal, reason: Box<Said> },
    LoseUpTo { amount: Box<Said>, span: Span },
    AlsoUpTo { amount: Box<Said>, span: Span },
    LaterThan { span: Box<Said>, most: Span },
    LateEachAtMost { span: Box<Said>, amount: Box<Said>, most: Box<Said> },
    LateUpTo { span: Box<Said>, most: Span, amount: Box<Said> },
    LateEach { span: Box<Said>, amount: Box<Said> },
    PercentReached { percent: Decimal },
    OnePoint,
    AfterDeadline { span: Span },
    LessExtension { span: Span },
    LessGrace { span: Span },
    LessBudget { span: Span },
    InTime,
    LateBy { span: Span },

    // Totals and rules
    NotAmongBest { problems: Names },
    AboveMaximum { points: Decimal, max: Decimal },
    RoundedTo { step: Decimal, points: Decimal },
    SumIs { sum: Box<Said>, points: Decimal, max: Decimal },
    Plus { left: Box<Said>, right: Box<Said> },
    Term { points: Decimal, package: String },
    WeightedTerm { weight: Decimal, points: Decimal, package: String },
    ScaledTo { points: Decimal, most: Decimal, scaled: Decimal, max: Decimal },
    WeightIs { package: String, factor: Decimal },
    BestCount { number: usize, count: Box<Said> },
    Problems { number: usize },
    TotalIsOutOf { points: Decimal },
    IsBonus { package: String },
    TotalsCapped,
    TotalsRounded { step: Decimal },
    LanguageHasTime { language: String, factor: Decimal },
    OnlyStandardLibrary { language: String },
    OwnTimeLimit { limit: Decimal, factor: Decimal },
    LoseEachMinute { amount: Box<Said> },
    LoseEachHour { amount: Box<Said> },
    LoseEachDay { amount: Box<Said> },
    LoseEachWeek { amount: Box<Said> },
    AtMost { rule: Box<Said>, most: Box<Said> },
    LaterNothing { span: Span },
    DeadlineWas { time: String },
    GraceOf { span: Span },
    BudgetOf { span: Span },
    NobodyLate,
    CaseExcluded { package: String, cases: Listed },
    CasesExcluded { package: String, cases: Listed },

    // Changes since an earlier report
    AnotherProgram,
    HandChange,
    OtherLateness,
    OtherData,
    OtherCourse,
    JudgedAgain,
    GroupsChanged { groups: Listed },

    // Hand-ins
    JudgeError { reason: Box<Said> },
    ValidatorBrokeRules,
    JudgedFile { file: String },
    BestOfAttempts { number: usize },
    SameProgramAs { name: String },
    CompilerLine { line: String },
    StaticFailed { group: String, state: Box<Said> },
    NoKnownLanguage { files: Names },
    NoAllowedLanguage { languages: String, files: Names },
    UnknownEnding { file: String },
    SeveralLanguages { files: Listed },
    FileIs { file: String, language: String },
    LanguageForbidden { name: String, code: String, allowed: String },
    HandInTooLarge { size: Decimal, limit: Decimal },
    NoRegularFile { file: String },
    NotAmongFiles { file: String },
    ReservedName { file: String },
    NoEntryFile { file: String },
    NoFileEndsIn { endings: String },
    DeclaredOther { name: String, endings: String },
    ProcessLimitHit,
    ForbiddenCallMade,
    KernelStopped,
    BoxFull,
    LeftProcesses { number: u64 },
    LinkOrDevice { file: String },
    SymbolicLink,
    NeitherFileNorFolder,
    HasNoName,
    MoreThanFiles { number: usize },
    FileEmpty,
    NoFiles,
    NothingFor { package: String },
    NothingHandedIn,
    ForNoPackage { files: Names },
    CountsAsNone,
    NoJudgeableProgram,
    NoMainMethod,
    Python2 { file: String, reason: Box<Said> },
    PrintWithoutParentheses,
    ExceptWithComma,
    Converted { file: String, encoding: String },
    ReadAs { file: String, language: String },
    ReadCells { file: String },
    ReadCellsWithout { file: String, count: Box<Said> },
    NotebookLines { number: usize },
    JupyterShows { line: String },
    EarlierUpload { new: String, old: String },
    FileSkipped { file: String, size: Decimal, limit: Decimal },
    RunWithout { files: Names },
    Hidden,
    OutputHidden,

    // Growth
    TakesTimes { factor: Decimal, reason: Box<Said> },
    NeedsTimes { factor: Decimal, reason: Box<Said> },
    WithSizes { what: Box<Said>, from: String, to: String },
    ChartTitle,
    ChartLegend,
    NumberOfWords,
    SizeOfInput,
    NumberOfLine { number: usize, line: usize },
    AcceptedBetween { least: Decimal, most: Decimal },
    AcceptedTimes { factor: Decimal },
    AcceptedAtMost { time: Decimal },
    ExceedsWith { changes: String, time: Decimal },

    // Hints
    ReadsMoreThanInput,
    MayBeThis { reason: Box<Said> },
    NestedCalls,
    OpensFile,
    MustFlush,
    PrintsNothing,
    ReadsMoreLines,
    LineAsNumber,
    RemoveLastInput,
    RemoveLastRead,
    WriteIntMain,
    RemoveExit,
    WindowsHeader { header: String },
    OnlyBlanks,
    ScanfAddress { name: String, other: String },
    MainInCapitals,
    GetlineAfterNumber,
    NextLineAfterInt,
    StringsAsPlaces,
    VectorKept { name: String, other: String },
    DecimalForInteger { text: String },
    LostDigits { text: String },
    KeepsBlanks { function: String, remedy: String },
    KeepsLineBreak,
    OnlyCapitals,
    OutputGoesOn,
    WordsBesideAnswer { word: String },
    SanitizeToSee { reason: Box<Said> },
    ItDoes { what: Box<Said> },
    UsesFreed,
    UsesEndedBlock,
    FreesTwice,
    CallsTooDeeply,
    IndexOutsideArray,
    IndexOutsideVector,
    EmptyContainer,
    InvalidIterator,
    DividesByZero,
    NullPointer,
    NumberTooLarge,
    NoReturn,
    WritesOutside,
    ReadsOutside,
    TextAsNumber,
    WildAddress,
    MayUseUnset { variable: String },
    UsesUnset { variable: String },
    UsesSomeUnset,
    MayUseUnsetAt { variable: String, place: String },
    UsesUnsetAt { variable: String, place: String },
    RightByChance { what: Box<Said> },
}
