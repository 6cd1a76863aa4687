### English

## Headings and labels of pages
skip-to-results = Skip to the results
results-by-group = Results by groups and cases
cases-title = Cases
case-column = case
result-column = result
happened-column = what happened
test-column = Test
happened-title = What happened
your-program-title = Your program
your-grade = Your grade
compiler-says-title = The compiler says
compiler-says = The compiler says:
whole-message = The whole message:
failing-input-title = A failing input
no-text = This file is not text.
no-submission-here = There is no submission for this problem.
judged-at = Judged { $date } by kopek { $version }
excused = excused
limits-with-reason = time limit { $time } ({ $reason }) · memory limit { $memory }
limits = time limit { $time } · memory limit { $memory }
above-is-repeated = a run above it is repeated
one-run-decided = time limits were decided by one run
one-run-decides = one run decides
about = { $place }: { $reason }

## Values in sentences
name = { $name }
foreign = { $text }
number = { $number }
titled = { $title }:
not-known = not known
names-and-more = { $names } and { $number } more
separator = { $before }; { $after }
several = { $parts }
weeks = { $number ->
    [one] 1 week
   *[other] { $number } weeks
}
days = { $number ->
    [one] 1 day
   *[other] { $number } days
}
hours = { $number ->
    [one] 1 hour
   *[other] { $number } hours
}
minutes = { $number ->
    [one] 1 minute
   *[other] { $number } minutes
}
seconds = { $number ->
    [one] 1 second
   *[other] { $number } seconds
}
span-of = { $span }

## Groups and cases
samples = sample
secret-cases = secret
group-heading = Group { $name }
group-named = group { $name }
case-of-group = case { $case } of { $group }
case-named = case { $case }
cases = { $number ->
    [one] 1 case
   *[other] { $number } cases
}
more-cases = { $number ->
    [one] 1 more case
   *[other] { $number } more cases
}
cases-some-right = { $count }, { $number } right
cases-right = { $count } right
cases-skipped-because = { $count } skipped: { $reason }
cases-skipped = { $count } skipped
cases-not-run = { $count } not run
group-skipped = skipped: { $group } was not passed
group-is-lost = the group gets no points any more
result-is-known = the result is known already
more-lines = { $number ->
    [one] … 1 more line
   *[other] … { $number } more lines
}
more-letters = { $number ->
    [one] … 1 more
   *[other] … { $number } more
}
lines = { $number ->
    [one] … 1 line
   *[other] … { $number } lines
}
earlier-lines = { $number ->
    [one] … 1 earlier line
   *[other] … { $number } earlier lines
}
points-of-max = { $points } of { $max } points
points = { $points ->
    [one] { $points } point
   *[other] { $points } points
}

## Verdicts and states
accepted = accepted
wrong-answer = wrong answer
time-limit = time limit
idle-limit = idleness limit
memory-limit = memory limit
output-limit = output limit
run-time-error = run-time error
compile-error = compile error
no-program = no program
not-judged = not judged
trials-missing = { $number ->
    [one] not judged: 1 trial missing
   *[other] not judged: { $number } trials missing
}
needs-group = not run: needs { $group }
skipped = skipped

## What happened on a case
right = Right.
right-in = Right, in { $time }.
gave-wrong-answer = Your program gave a wrong answer.
took-longer-stopped = Your program took longer than the limit of { $limit }: it was stopped after { $time }.
took-longer-done = Your program took longer than the limit of { $limit }: it was done after { $time }.
took-longer = Your program took longer than the limit of { $limit }.
waited-too-long = Your program waited too long without computing. Perhaps it reads more input than there is.
needed-more-memory = Your program needed more memory than the limit of { $limit }.
wrote-too-much = Your program wrote more output than is allowed.
crashed-because = Your program crashed: { $reason }.
crashed = Your program crashed.
does-not-compile = Your program does not compile.
nothing-to-run = There is no program to run.
printed-instead = Your program printed { $found } where { $expected } was expected
ends-before = Your program's output ends where { $expected } was expected
printed-after-end = Your program printed { $found } after the end of the expected output
output-differs = Your program's output differs from the expected output
at-line-because = (line { $line }: { $error }).
not-a-number = not a number
absolute-error = absolute error { $error }, allowed { $allowed }
relative-error = relative error { $error }, allowed { $allowed }
infinite = infinite
beyond-measure = beyond measure
at-line = (line { $line }).
signs-of-difference = − expected, + yours:
wrote-on-stderr = { $case } wrote on standard error:
judge-label = judge:
input-label = input:
expected-label = expected output:
stderr-label = standard error:
arguments-label = arguments:
files-label = files:
input = input
expected-output = expected output
your-output = your output
your-stderr = your standard error
conversation = conversation (< judge, > submission)
first-lines-of = { $reason }, the first lines of { $number } bytes
first-lines = { $reason }, the first lines
nothing-of = { $reason }: nothing
fails-on-sample = Your program fails on this sample, { $sample }.
fails-on-input = Your program fails on this input, which is not one of the tests.
fails-on-such-input = Your program fails on this input, which is not one of the tests, but of the same form.
fails-from = It fails with { $fails } as the first number, passes with { $passes }.
array-too-small = The program has the number { $number }: is an array too small?
program-ended = your program: { $state }, { $reason }
hint-of-case = Hint: { $reason }
hint = hint: { $reason }

## How a program ended
ended-well = ended well
exit-code = exit code { $number }
killed-by = killed by { $signal } ({ $reason })
killed-by-signal = killed by signal { $number }
stopped-by = stopped: { $reason }
cpu-time = CPU time
waited = waited for input or slept
memory = memory
too-much-output = too much output
too-much-in-files = too much written to files
too-many-processes = too many processes
started-too-many = it started too many processes or threads
illegal-instruction = illegal instruction
aborted = aborted: a failed assertion or an uncaught exception
no-such-memory = access to memory that does not exist
division-by-zero = division by zero
killed = killed
invalid-memory = invalid memory access, or stack overflow
reader-gone = the reader of its output was gone
terminated = terminated
file-too-large = file too large
forbidden-call = a forbidden system call
right-output = the output is right
output-not-written = the output file was not written
sample-file-not-needed = no file was handed in for { $case }, which a sample does not need
no-file-for = no file was handed in for { $case }
in-pass = in pass { $number }
after-that = after that { $fault }

## Results that are open
teacher-chooses = Your teacher will decide which of these files counts: { $files }
not-completely-judged = Your program is not completely judged yet. Your teacher will see to it.
ran-near-limit = { $group }: your program ran near the time limit while the machine was busy, so its result is open. Your teacher will decide.
not-measured = { $group }: a run could not be measured exactly, so its result is open. Your teacher will decide.
others-not-judged = Your program is { $file }. Not judged: { $files }
problem-has-error = The problem has an error on the server, so your program was not judged. Please tell your teacher.
judging-took-long = Your program was not judged to its end, because its runs take long. Check again to continue.
not-all-judged = Not everything could be judged, so there are no points yet. Check again later; tell your teacher if this remains.
no-samples = This problem has no samples to try your program on.

## Decisions, points by hand, lateness
decided-by = decided by { $by }: { $comment }
case-was = a case was { $reason }
case-decided = { $case }: { $state }, decided by { $by }: { $comment }
of-total = the total: { $reason }
points-by-hand = { $before } → { $after } points, by hand: { $by }
excused-by-hand = excused, by hand: { $by }
by-hand = by hand: { $by }
by-with-comment = { $by }: { $comment }
penalty = { $points ->
    [one] penalty of { $points } point: { $reason }
   *[other] penalty of { $points } points: { $reason }
}
lose-up-to = late hand-ins lose { $amount } up to { $span } late
also-up-to = { $amount } up to { $span } late
later-than = { $span } late, more than { $most }: no points
late-each-at-most = { $span } late, { $amount } each, at most { $most }
late-up-to = { $span } late, up to { $most }: { $amount }
late-each = { $span } late, { $amount } each
percent-reached = { $percent } % of the points reached
after-deadline = { $span } after the deadline
less-extension = less { $span } of extension
less-grace = less { $span } of grace
less-budget = less { $span } of the budget for lateness
in-time = in time
late-by = { $span } late

## Totals and rules
not-among-best = not among the best problems that count: { $problems }
above-maximum = { $points } are above the maximum: { $max } count
rounded-to = rounded to a multiple of { $step }: { $points }
sum-is = { $sum } = { $points } of { $max }
plus = { $left } + { $right }
term = { $points } ({ $package })
weighted-term = { $weight } × { $points } ({ $package })
scaled-to = { $points } of { $most } are { $scaled } of { $max }
weight-is = the points of { $package } count { $factor } times
best-count = { $number ->
    [one] the best of { $count } counts
   *[other] the best { $number } of { $count } count
}
problems = { $number ->
    [one] 1 problem
   *[other] { $number } problems
}
total-is-out-of = { $points ->
    [one] the total is out of { $points } point
   *[other] the total is out of { $points } points
}
is-bonus = { $package } is a bonus: its points count beyond the maximum
totals-capped = totals above the maximum count as the maximum
totals-rounded = totals are rounded to multiples of { $step }, ties up
language-has-time = programs in { $language } have { $factor } times the time limit
only-standard-library = programs in { $language } may use the standard library only
own-time-limit = time limit { $limit }: { $factor } times the package's
lose-each-minute = late hand-ins lose { $amount } for each minute begun
lose-each-hour = late hand-ins lose { $amount } for each hour begun
lose-each-day = late hand-ins lose { $amount } for each day begun
lose-each-week = late hand-ins lose { $amount } for each week begun
at-most = { $rule }, at most { $most }
later-nothing = more than { $span } late: no points
deadline-was = the deadline was { $time }
grace-of = grace of { $span }
budget-of = budget of { $span } for each participant, used in the order of the problems
nobody-late = no late submission found
case-excluded = { $package }: { $cases } does not count
cases-excluded = { $package }: { $cases } do not count

## Changes since an earlier report
another-program = another program
hand-change = points or comments by hand
other-lateness = lateness or an extension
other-data = data or limits of the problem
other-course = rules of the course
judged-again = the same program was judged again
groups-changed = changed: { $groups }

## Hand-ins
judge-error = JUDGE ERROR: { $reason }
validator-broke-rules = a validator broke the rules; the teacher knows the details
judged-file = judged: { $file }
best-of-attempts = the best of { $number } attempts
same-program-as = the same program as { $name }'s
compiler-line = does not compile: { $line }
static-failed = static validation of { $group }: { $state }
no-known-language = no file is in a known language: { $files }
no-allowed-language = no file is in an allowed language ({ $languages }): { $files }
unknown-ending = no known language: { $file } has no ending of the table (see `kopek languages`)
several-languages = more than one language: { $files }; declare one, or hand in one only
file-is = { $file } is { $language }
language-forbidden = { $name } (`{ $code }`) is not allowed here; allowed: { $allowed }
hand-in-too-large = { $size } were handed in; the limit is { $limit }
no-regular-file = { $file } is a link or no regular file; hand in the file itself
not-among-files = { $file } is not among the files
reserved-name = a file must not be called { $file }
no-entry-file = the entry point { $file } is not among the files
no-file-ends-in = no file ends in { $endings }
declared-other = declared as { $name }, but no file ends in { $endings }
process-limit-hit = process limit hit
forbidden-call-made = forbidden system call
kernel-stopped = the kernel stopped it for lack of memory
box-full = the box was full
left-processes = left processes: { $number }
link-or-device = { $file } is a link or a device; hand in the file itself
symbolic-link = a symbolic link; hand in the file itself
neither-file-nor-folder = neither a file nor a directory
has-no-name = has no name
more-than-files = more than { $number } files
file-empty = the file is empty
no-files = there are no files
nothing-for = nothing was handed in for { $package }
nothing-handed-in = nothing was handed in
for-no-package = for no package: { $files }
counts-as-none = counts as no program, as the teacher decided
no-judgeable-program = no program that can be judged
no-main-method = no entry point: no class has a `main` method
python2 = { $file }: this is Python 2 ({ $reason }); it is judged as Python 3
print-without-parentheses = `print` without parentheses
except-with-comma = `except` with a comma
converted = { $file } was { $encoding }, converted to UTF-8
read-as = { $file } is read as { $language }
read-cells = { $file } is read as Python 3: its code cells
read-cells-without = { $file } is read as Python 3: its code cells, without { $count } for the notebook itself (%, ! or ?)
notebook-lines = { $number ->
    [one] 1 line
   *[other] { $number } lines
}
jupyter-shows = Jupyter shows `{ $line }`, a program does not: use print
earlier-upload = { $new } counts, an earlier upload is left out: { $old }
file-skipped = { $file } ({ $size }) is skipped: with it the program exceeds the code limit of { $limit }
run-without = run without { $files }; a program gets the files that its text names
hidden = (hidden: it contains a name)
output-hidden = your output: (hidden: it contains a name)

## Growth
takes-times = takes about { $factor } times as long when { $reason } doubles
needs-times = needs about { $factor } times as much memory when { $reason } doubles
with-sizes = { $what } ({ $from } to { $to })
chart-title = Your program, and accepted solutions
chart-legend = Dark: your program. Light: accepted solutions. Dashed: the limit.
number-of-words = the number of words
size-of-input = the size of the input
number-of-line = number { $number } of line { $line }
accepted-between = accepted solutions: { $least } to { $most } times
accepted-times = accepted solutions: { $factor } times
accepted-at-most = accepted solutions take at most { $time } s on these inputs
exceeds-with = exceeds the time limit with { $changes } (accepted solutions take at most { $time } s)

## Changes that make an input slow
number-is = { $number } = { $value }
first-number-of-line = the first number of line { $line }
whole-line = line { $line }
column-from-line = column { $column } from line { $line } on
pairs-from-line = the pairs from line { $line } on
word-of-line = word { $word } of line { $line }
letters = { $number ->
    [one] 1 letter
   *[other] { $number } letters
}
as-in-case = as in the case, repeated
sorted = sorted
sorted-down = sorted in descending order
all-least = all the least value
all-largest = all the largest value
counting-up = counting up
counting-down = counting down
two-values-by-turns = two values by turns
equal-blocks = blocks of equal values
up-and-down = up and down again
largest-first = all the least value, the first the largest
largest-last = all the least value, the last the largest
least-last = all the largest value, the last the least
nearly-sorted = sorted but for some swaps
multiples-of = multiples of { $number }
one-letter = one letter
last-letter-only = the last letter only
serpentine = a serpentine
other-letter-last = one letter, the last another
other-letter-first = one letter, the first another
other-letter-middle = one letter, the middle another
two-letters-by-turns = two letters by turns
one-then-another = one letter, then another
fibonacci-word = a Fibonacci word
path = a path
path-from-end = a path from its end
mixed-path = a path with mixed numbers
star = a star
star-at-end = a star around the last node
caterpillar = a caterpillar
broom = a broom
binary-tree = a binary tree
complete-bipartite = a complete bipartite graph

## Hints
reads-more-than-input = it reads more than the input has: compare its order of reading with the statement
may-be-this = it may be this: { $reason }
nested-calls = Python stops at about 1000 nested calls: use a loop, or raise the limit with sys.setrecursionlimit
opens-file = it opens a file for its input: read standard input instead
must-flush = it waited. A program that talks to another must flush each line: print(…, flush=True), cout << endl, fflush(stdout)
prints-nothing = it prints nothing
reads-more-lines = it reads more lines than the input has: compare with the statement; a line may hold several numbers
line-as-number = it reads a line of several numbers as one number: split the line first
remove-last-input = the output is right, and then it reads on: remove the last `input()`
remove-last-read = the output is right, and then it reads on: remove the last read
write-int-main = the output is right, but the exit code is not 0: write `int main`, and end it with `return 0`
remove-exit = the output is right, but the exit code is not 0: remove the exit at the end, or exit with 0
windows-header = `{ $header }` exists on Windows only: remove it, and what it is for, such as `getch()`
only-blanks = only blanks or line breaks differ from the expected output
scanf-address = `scanf` needs the address of `{ $name }`: write `&{ $other }`
main-in-capitals = the program begins in `main`, not in `Main`
getline-after-number = `getline` after `>>` reads the rest of that line, which is empty: write `cin >> ws` before it
next-line-after-int = `nextLine` after `nextInt` reads the rest of that line, which is empty: call `nextLine` once more before it
strings-as-places = `==` does not compare the letters of strings in Java: use `equals`
vector-kept = `{ $name }` keeps the items of the test before: call `{ $other }.clear()` for each test
decimal-for-integer = it prints `{ $text }` where the answer is an integer: compute with integers
lost-digits = it prints `{ $text }`, which has lost digits: use an integer type instead of `double`
keeps-blanks = `{ $function }` keeps blanks at the ends of a line: call `{ $remedy }` on it
keeps-line-break = `read_line` keeps the line break: call `trim` before `parse`
only-capitals = only capital letters differ from the expected output
output-goes-on = the answer is right, and then the output goes on: print the answer only
words-beside-answer = the output has words beside the answer, such as `{ $word }`: print the answer only
sanitize-to-see = { $reason }: compile with -g -fsanitize=address,undefined to see where
it-does = it { $what }
uses-freed = uses memory that was freed
uses-ended-block = uses a local variable of a block that has ended
frees-twice = frees memory twice
calls-too-deeply = calls functions too deeply, or has local arrays that are too large
index-outside-array = uses an index outside an array
index-outside-vector = uses an index outside a vector or string
empty-container = takes an element of an empty container
invalid-iterator = uses an iterator that is not valid
divides-by-zero = divides by zero
null-pointer = uses a null pointer
number-too-large = computes a number that is too large for its type
no-return = ends a function without `return`
writes-outside = writes outside an array
reads-outside = reads outside an array
text-as-number = converts a text to a number that is none
wild-address = uses an address outside its memory, such as an index far outside an array
may-use-unset = may use `{ $variable }` before it has a value
uses-unset = uses `{ $variable }` before it has a value
uses-some-unset = uses a variable before it has a value
at-place = { $what } ({ $place })
right-by-chance = { $what }: it is right only where memory happens to be zero
