### German

## Headings and labels of pages
skip-to-results = Zu den Ergebnissen
results-by-group = Ergebnisse nach Gruppen und Testfällen
cases-title = Testfälle
case-column = Testfall
result-column = Ergebnis
happened-column = was geschah
test-column = Test
happened-title = Was geschah
your-program-title = Dein Programm
your-grade = Deine Bewertung
compiler-says-title = Der Compiler meldet
compiler-says = Der Compiler meldet:
whole-message = Die ganze Meldung:
failing-input-title = Eine Eingabe, bei der es scheitert
no-text = Diese Datei ist kein Text.
no-submission-here = Zu dieser Aufgabe gibt es keine Abgabe.
judged-at = Bewertet am { $date } mit kopek { $version }
excused = entschuldigt
limits-with-reason = Zeitlimit { $time } ({ $reason }) · Speicherlimit { $memory }
limits = Zeitlimit { $time } · Speicherlimit { $memory }
above-is-repeated = ein Lauf darüber wird wiederholt
one-run-decided = über Zeitlimits entschied ein einziger Lauf
one-run-decides = ein Lauf entscheidet
about = { $place }: { $reason }

## Values in sentences
name = { $name }
foreign = { $text }
number = { $number }
titled = { $title }:
not-known = unbekannt
names-and-more = { $names } und { $number } weitere
separator = { $before }; { $after }
several = { $parts }
weeks = { $number ->
    [one] 1 Woche
   *[other] { $number } Wochen
}
days = { $number ->
    [one] 1 Tag
   *[other] { $number } Tage
}
hours = { $number ->
    [one] 1 Stunde
   *[other] { $number } Stunden
}
minutes = { $number ->
    [one] 1 Minute
   *[other] { $number } Minuten
}
seconds = { $number ->
    [one] 1 Sekunde
   *[other] { $number } Sekunden
}
span-of = { $span }

## Groups and cases
samples = Beispiele
secret-cases = Tests
group-heading = Gruppe { $name }
group-named = Gruppe { $name }
case-of-group = Testfall { $case } von { $group }
case-named = Testfall { $case }
cases = { $number ->
    [one] 1 Testfall
   *[other] { $number } Testfälle
}
more-cases = { $number ->
    [one] 1 weiterer Testfall
   *[other] { $number } weitere Testfälle
}
cases-some-right = { $count }, davon { $number } richtig
cases-right = { $count } richtig
cases-skipped-because = { $count } übersprungen: { $reason }
cases-skipped = { $count } übersprungen
cases-not-run = { $count } nicht ausgeführt
group-skipped = übersprungen: { $group } nicht bestanden
group-is-lost = die Gruppe bekommt keine Punkte mehr
result-is-known = das Ergebnis steht schon fest
more-lines = { $number ->
    [one] … 1 weitere Zeile
   *[other] … { $number } weitere Zeilen
}
more-letters = { $number ->
    [one] … 1 weiteres
   *[other] … { $number } weitere
}
lines = { $number ->
    [one] … 1 Zeile
   *[other] … { $number } Zeilen
}
earlier-lines = { $number ->
    [one] … davor 1 Zeile
   *[other] … davor { $number } Zeilen
}
points-of-max = { $points } von { $max } Punkten
points = { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkte
}

## Verdicts and states
accepted = richtig
wrong-answer = falsche Antwort
time-limit = Zeitlimit
idle-limit = zu lange gewartet
memory-limit = Speicherlimit
output-limit = zu viel Ausgabe
run-time-error = Laufzeitfehler
compile-error = Compilerfehler
no-program = kein lauffähiges Programm
not-judged = nicht bewertet
trials-missing = { $number ->
    [one] nicht bewertet: 1 Lauf fehlt
   *[other] nicht bewertet: { $number } Läufe fehlen
}
needs-group = nicht ausgeführt: setzt { $group } voraus
skipped = übersprungen

## What happened on a case
right = Richtig.
right-in = Richtig, in { $time }.
gave-wrong-answer = Dein Programm gab eine falsche Antwort.
took-longer-stopped = Dein Programm brauchte länger als das Limit von { $limit }: Es wurde nach { $time } abgebrochen.
took-longer-done = Dein Programm brauchte länger als das Limit von { $limit }: Es war nach { $time } fertig.
took-longer = Dein Programm brauchte länger als das Limit von { $limit }.
waited-too-long = Dein Programm wartete zu lange, ohne zu rechnen. Vielleicht liest es mehr Eingabe, als es gibt.
needed-more-memory = Dein Programm brauchte mehr Speicher als das Limit von { $limit }.
wrote-too-much = Dein Programm schrieb mehr Ausgabe als erlaubt.
crashed-because = Dein Programm stürzte ab: { $reason }.
crashed = Dein Programm stürzte ab.
does-not-compile = Dein Programm lässt sich nicht kompilieren.
nothing-to-run = Es gibt kein Programm, das laufen könnte.
printed-instead = Dein Programm gab { $found } aus, wo { $expected } erwartet war
ends-before = Die Ausgabe Deines Programms endet, wo { $expected } erwartet war
printed-after-end = Dein Programm gab nach dem Ende der erwarteten Ausgabe noch { $found } aus
output-differs = Die Ausgabe Deines Programms weicht von der erwarteten ab
at-line-because = (Zeile { $line }: { $error }).
not-a-number = keine Zahl
absolute-error = absoluter Fehler { $error }, erlaubt { $allowed }
relative-error = relativer Fehler { $error }, erlaubt { $allowed }
infinite = unendlich
beyond-measure = nicht messbar
at-line = (Zeile { $line }).
signs-of-difference = − erwartet, + Deine:
wrote-on-stderr = { $case } schrieb auf die Fehlerausgabe:
judge-label = Prüfer:
input-label = Eingabe:
expected-label = erwartete Ausgabe:
stderr-label = Fehlerausgabe:
arguments-label = Argumente:
files-label = Dateien:
input = Eingabe
expected-output = erwartete Ausgabe
your-output = Deine Ausgabe
your-stderr = Deine Fehlerausgabe
conversation = Gespräch (< Prüfer, > Programm)
first-lines-of = { $reason }, die ersten Zeilen von { $number } Bytes
first-lines = { $reason }, die ersten Zeilen
nothing-of = { $reason }: nichts
fails-on-sample = Dein Programm scheitert an diesem Beispiel, { $sample }.
fails-on-input = Dein Programm scheitert an dieser Eingabe, die keiner der Tests ist.
fails-on-such-input = Dein Programm scheitert an dieser Eingabe, die keiner der Tests ist, aber dieselbe Form hat.
fails-from = Es scheitert mit { $fails } als erster Zahl und besteht mit { $passes }.
array-too-small = Im Programm steht die Zahl { $number }: Ist ein Array zu klein?
program-ended = Dein Programm: { $state }, { $reason }
hint-of-case = Hinweis: { $reason }
hint = Hinweis: { $reason }

## How a program ended
ended-well = ordentlich beendet
exit-code = Exit-Code { $number }
killed-by = beendet durch { $signal } ({ $reason })
killed-by-signal = beendet durch Signal { $number }
stopped-by = abgebrochen: { $reason }
cpu-time = CPU-Zeit
waited = wartete auf Eingabe oder schlief
memory = Speicher
too-much-output = zu viel Ausgabe
too-much-in-files = zu viel in Dateien geschrieben
too-many-processes = zu viele Prozesse
started-too-many = es startete zu viele Prozesse oder Threads
illegal-instruction = ungültiger Befehl
aborted = Abbruch: verletzte Assertion oder nicht abgefangene Ausnahme
no-such-memory = Zugriff auf Speicher, den es nicht gibt
division-by-zero = Division durch null
killed = zwangsweise beendet
invalid-memory = ungültiger Speicherzugriff oder Stapelüberlauf
reader-gone = niemand las seine Ausgabe mehr
terminated = beendet
file-too-large = Datei zu groß
forbidden-call = ein verbotener Systemaufruf
right-output = die Ausgabe stimmt
output-not-written = die Ausgabedatei wurde nicht geschrieben
sample-file-not-needed = für { $case } wurde keine Datei abgegeben; ein Beispiel braucht keine
no-file-for = für { $case } wurde keine Datei abgegeben
in-pass = in Durchgang { $number }
after-that = danach: { $fault }

## Results that are open
teacher-chooses = Deine Lehrkraft entscheidet, welche dieser Dateien zählt: { $files }
not-completely-judged = Dein Programm ist noch nicht ganz bewertet. Deine Lehrkraft kümmert sich darum.
ran-near-limit = { $group }: Dein Programm lief nahe am Zeitlimit, während der Rechner beschäftigt war; das Ergebnis ist offen. Deine Lehrkraft entscheidet.
not-measured = { $group }: Ein Lauf ließ sich nicht genau messen; das Ergebnis ist offen. Deine Lehrkraft entscheidet.
others-not-judged = Dein Programm ist { $file }. Nicht bewertet: { $files }
problem-has-error = Die Aufgabe hat auf dem Server einen Fehler; Dein Programm wurde nicht bewertet. Bitte sag es Deiner Lehrkraft.
judging-took-long = Dein Programm wurde nicht bis zum Ende bewertet, weil seine Läufe lange dauern. Prüfe es noch einmal, um fortzufahren.
not-all-judged = Nicht alles konnte bewertet werden; es gibt noch keine Punkte. Prüfe es später noch einmal; sag es Deiner Lehrkraft, wenn es so bleibt.
no-samples = Diese Aufgabe hat keine Beispiele, an denen Du Dein Programm probieren könntest.

## Decisions, points by hand, lateness
decided-by = entschieden von { $by }: { $comment }
case-was = ein Testfall: { $reason }
case-decided = { $case }: { $state }, entschieden von { $by }: { $comment }
of-total = die Gesamtpunkte: { $reason }
points-by-hand = { $before } → { $after } Punkte, von Hand: { $by }
excused-by-hand = entschuldigt, von Hand: { $by }
by-hand = von Hand: { $by }
by-with-comment = { $by }: { $comment }
penalty = { $points ->
    [one] Abzug von { $points } Punkt: { $reason }
   *[other] Abzug von { $points } Punkten: { $reason }
}
lose-up-to = verspätete Abgaben verlieren { $amount } bis { $span } Verspätung
also-up-to = { $amount } bis { $span } Verspätung
later-than = { $span } zu spät, mehr als { $most }: keine Punkte
late-each-at-most = { $span } zu spät, je { $amount }, höchstens { $most }
late-up-to = { $span } zu spät, bis { $most }: { $amount }
late-each = { $span } zu spät, je { $amount }
percent-reached = { $percent } % der erreichten Punkte
after-deadline = { $span } nach dem Abgabetermin
less-extension = abzüglich { $span } Verlängerung
less-grace = abzüglich { $span } Kulanz
less-budget = abzüglich { $span } aus dem Vorrat für Verspätungen
in-time = rechtzeitig
late-by = { $span } zu spät

## Totals and rules
not-among-best = nicht unter den besten Aufgaben, die zählen: { $problems }
above-maximum = { $points } sind über dem Höchstwert: { $max } zählen
rounded-to = gerundet auf ein Vielfaches von { $step }: { $points }
sum-is = { $sum } = { $points } von { $max }
plus = { $left } + { $right }
term = { $points } ({ $package })
weighted-term = { $weight } × { $points } ({ $package })
scaled-to = { $points } von { $most } sind { $scaled } von { $max }
weight-is = die Punkte von { $package } zählen { $factor }-fach
best-count = { $number ->
    [one] die beste von { $count } zählt
   *[other] die besten { $number } von { $count } zählen
}
problems = { $number ->
    [one] 1 Aufgabe
   *[other] { $number } Aufgaben
}
total-is-out-of = { $points ->
    [one] insgesamt gibt es { $points } Punkt
   *[other] insgesamt gibt es { $points } Punkte
}
is-bonus = { $package } ist eine Zusatzaufgabe: ihre Punkte zählen über das Maximum hinaus
totals-capped = Gesamtpunkte über dem Höchstwert zählen als Höchstwert
totals-rounded = gerundet wird auf Vielfache von { $step }, genau in der Mitte nach oben
language-has-time = Programme in { $language } haben das { $factor }-fache Zeitlimit
only-standard-library = Programme in { $language } dürfen nur die Standardbibliothek benutzen
own-time-limit = Zeitlimit { $limit }: das { $factor }-fache des Limits der Aufgabe
lose-each-minute = verspätete Abgaben verlieren { $amount } je angefangener Minute
lose-each-hour = verspätete Abgaben verlieren { $amount } je angefangener Stunde
lose-each-day = verspätete Abgaben verlieren { $amount } je angefangenem Tag
lose-each-week = verspätete Abgaben verlieren { $amount } je angefangener Woche
at-most = { $rule }, höchstens { $most }
later-nothing = mehr als { $span } zu spät: keine Punkte
deadline-was = der Abgabetermin war { $time }
grace-of = Kulanz: { $span }
budget-of = Vorrat für Verspätungen je Person: { $span }, verbraucht in der Reihenfolge der Aufgaben
nobody-late = keine verspätete Abgabe gefunden
case-excluded = { $package }: { $cases } zählt nicht
cases-excluded = { $package }: { $cases } zählen nicht

## Changes since an earlier report
another-program = ein anderes Programm
hand-change = Punkte oder Bemerkungen von Hand
other-lateness = Verspätung oder Verlängerung
other-data = Daten oder Limits der Aufgabe
other-course = Regeln des Kurses
judged-again = dasselbe Programm wurde erneut bewertet
groups-changed = geändert: { $groups }

## Hand-ins
judge-error = FEHLER DES PRÜFERS: { $reason }
validator-broke-rules = ein Prüfer verletzte die Regeln; Deine Lehrkraft kennt die Einzelheiten
judged-file = bewertet: { $file }
best-of-attempts = der beste von { $number } Versuchen
same-program-as = dasselbe Programm wie von { $name }
compiler-line = lässt sich nicht kompilieren: { $line }
static-failed = statische Prüfung von { $group }: { $state }
no-known-language = keine Datei ist in einer bekannten Sprache: { $files }
no-allowed-language = keine Datei ist in einer erlaubten Sprache ({ $languages }): { $files }
unknown-ending = keine bekannte Sprache: { $file } hat keine Endung der Tabelle (siehe `kopek languages`)
several-languages = mehr als eine Sprache: { $files }; gib nur eine ab
file-is = { $file } ist { $language }
language-forbidden = { $name } (`{ $code }`) ist hier nicht erlaubt; erlaubt: { $allowed }
hand-in-too-large = { $size } wurden abgegeben; das Limit ist { $limit }
no-regular-file = { $file } ist ein Link oder keine gewöhnliche Datei; gib die Datei selbst ab
not-among-files = { $file } ist nicht unter den Dateien
reserved-name = eine Datei darf nicht { $file } heißen
no-entry-file = der Einstiegspunkt { $file } ist nicht unter den Dateien
no-file-ends-in = keine Datei endet auf { $endings }
declared-other = angegeben als { $name }, aber keine Datei endet auf { $endings }
process-limit-hit = Prozesslimit erreicht
forbidden-call-made = verbotener Systemaufruf
kernel-stopped = der Kernel brach es ab, weil Speicher fehlte
box-full = die Sandbox war voll
left-processes = zurückgelassene Prozesse: { $number }
link-or-device = { $file } ist ein Link oder ein Gerät; gib die Datei selbst ab
symbolic-link = ein symbolischer Link; gib die Datei selbst ab
neither-file-nor-folder = weder eine Datei noch ein Verzeichnis
has-no-name = hat keinen Namen
more-than-files = mehr als { $number } Dateien
file-empty = die Datei ist leer
no-files = es gibt keine Dateien
nothing-for = für { $package } wurde nichts abgegeben
nothing-handed-in = es wurde nichts abgegeben
for-no-package = zu keiner Aufgabe: { $files }
counts-as-none = zählt nach Entscheidung der Lehrkraft nicht als Programm
no-judgeable-program = kein Programm, das bewertet werden kann
no-main-method = kein Einstiegspunkt: keine Klasse hat eine Methode `main`
python2 = { $file }: das ist Python 2 ({ $reason }); es wird als Python 3 bewertet
print-without-parentheses = `print` ohne Klammern
except-with-comma = `except` mit einem Komma
converted = { $file } war { $encoding }, umgewandelt in UTF-8
read-as = { $file } wird als { $language } gelesen
read-cells = { $file } wird als Python 3 gelesen: seine Code-Zellen
read-cells-without = { $file } wird als Python 3 gelesen: seine Code-Zellen, ohne { $count } für das Notebook selbst (%, ! oder ?)
notebook-lines = { $number ->
    [one] 1 Zeile
   *[other] { $number } Zeilen
}
jupyter-shows = Jupyter zeigt `{ $line }` an, ein Programm nicht: verwende print
earlier-upload = { $new } zählt, ein früherer Upload nicht: { $old }
file-skipped = { $file } ({ $size }) wird ausgelassen: mit dieser Datei überschreitet das Programm das Code-Limit von { $limit }
run-without = ausgeführt ohne { $files }; ein Programm bekommt die Dateien, die sein Text nennt
hidden = (verborgen: enthält einen Namen)
output-hidden = Deine Ausgabe: (verborgen: enthält einen Namen)

## Growth
takes-times = braucht etwa { $factor }-mal so lange, wenn sich { $reason } verdoppelt
needs-times = braucht etwa { $factor }-mal so viel Speicher, wenn sich { $reason } verdoppelt
with-sizes = { $what } ({ $from } bis { $to })
chart-title = Dein Programm und richtige Lösungen
chart-legend = Dunkel: Dein Programm. Hell: richtige Lösungen. Gestrichelt: das Limit.
number-of-words = die Anzahl der Wörter
size-of-input = die Größe der Eingabe
number-of-line = die { $number }. Zahl in Zeile { $line }
accepted-between = richtige Lösungen: { $least }- bis { $most }-mal
accepted-times = richtige Lösungen: { $factor }-mal
accepted-at-most = richtige Lösungen brauchen auf diesen Eingaben höchstens { $time } s
exceeds-with = überschreitet das Zeitlimit mit dieser Eingabe: { $changes } (richtige Lösungen brauchen höchstens { $time } s)

## Changes that make an input slow
number-is = { $number } = { $value }
first-number-of-line = die erste Zahl in Zeile { $line }
whole-line = Zeile { $line }
column-from-line = Spalte { $column } ab Zeile { $line }
pairs-from-line = die Paare ab Zeile { $line }
word-of-line = das { $word }. Wort in Zeile { $line }
letters = { $number ->
    [one] 1 Buchstabe
   *[other] { $number } Buchstaben
}
as-in-case = wie im Testfall, wiederholt
sorted = aufsteigend sortiert
sorted-down = absteigend sortiert
all-least = überall der kleinste Wert
all-largest = überall der größte Wert
counting-up = aufwärts gezählt
counting-down = abwärts gezählt
two-values-by-turns = zwei Werte im Wechsel
equal-blocks = Blöcke gleicher Werte
up-and-down = auf und wieder ab
largest-first = der kleinste Wert, nur am Anfang der größte
largest-last = der kleinste Wert, nur am Ende der größte
least-last = der größte Wert, nur am Ende der kleinste
nearly-sorted = sortiert bis auf einige Vertauschungen
multiples-of = Vielfache von { $number }
one-letter = ein einziger Buchstabe
last-letter-only = nur der letzte der Buchstaben
serpentine = eine Schlangenlinie
other-letter-last = ein Buchstabe, am Ende ein anderer
other-letter-first = ein Buchstabe, am Anfang ein anderer
other-letter-middle = ein Buchstabe, in der Mitte ein anderer
two-letters-by-turns = zwei Buchstaben im Wechsel
one-then-another = ein Buchstabe, dann ein anderer
fibonacci-word = ein Fibonacci-Wort
path = ein Pfad
path-from-end = ein Pfad vom Ende her
mixed-path = ein Pfad mit gemischten Nummern
star = ein Stern
star-at-end = ein Stern um den letzten Knoten
caterpillar = eine Raupe
broom = ein Besen
binary-tree = ein Binärbaum
complete-bipartite = ein vollständiger bipartiter Graph

## Hints
reads-more-than-input = es liest mehr, als die Eingabe hat: vergleiche die Reihenfolge, in der es liest, mit der Aufgabenstellung
may-be-this = vielleicht liegt es daran: { $reason }
nested-calls = Python bricht bei etwa 1000 geschachtelten Aufrufen ab: nimm eine Schleife oder erhöhe die Grenze mit sys.setrecursionlimit
opens-file = es öffnet eine Datei für die Eingabe: lies stattdessen von der Standardeingabe
must-flush = es wartete. Ein Programm, das mit einem anderen spricht, muss jede Zeile sofort ausgeben: print(…, flush=True), cout << endl, fflush(stdout)
prints-nothing = es gibt nichts aus
reads-more-lines = es liest mehr Zeilen, als die Eingabe hat: vergleiche mit der Aufgabenstellung; eine Zeile kann mehrere Zahlen enthalten
line-as-number = es liest eine Zeile mit mehreren Zahlen als eine Zahl: zerlege die Zeile zuerst
remove-last-input = die Ausgabe stimmt, aber dann liest es weiter: entferne das letzte `input()`
remove-last-read = die Ausgabe stimmt, aber dann liest es weiter: entferne das letzte Lesen
write-int-main = die Ausgabe stimmt, aber der Exit-Code ist nicht 0: schreibe `int main` und beende es mit `return 0`
remove-exit = die Ausgabe stimmt, aber der Exit-Code ist nicht 0: entferne den Aufruf von exit am Ende oder beende das Programm mit 0
windows-header = `{ $header }` gibt es nur unter Windows: entferne es und alles, wofür es da ist, etwa `getch()`
only-blanks = nur Leerzeichen oder Zeilenumbrüche weichen von der erwarteten Ausgabe ab
scanf-address = `scanf` braucht die Adresse von `{ $name }`: schreibe `&{ $other }`
main-in-capitals = das Programm beginnt in `main`, nicht in `Main`
getline-after-number = `getline` nach `>>` liest den Rest dieser Zeile, der leer ist: schreibe davor `cin >> ws`
next-line-after-int = `nextLine` nach `nextInt` liest den Rest dieser Zeile, der leer ist: rufe `nextLine` davor noch einmal auf
strings-as-places = `==` vergleicht in Java nicht die Buchstaben von Zeichenketten: benutze `equals`
vector-kept = `{ $name }` behält die Elemente des vorigen Tests: rufe für jeden Test `{ $other }.clear()` auf
decimal-for-integer = es gibt `{ $text }` aus, wo die Antwort eine ganze Zahl ist: rechne mit ganzen Zahlen
lost-digits = es gibt `{ $text }` aus und verliert dabei Ziffern: benutze einen ganzzahligen Typ statt `double`
keeps-blanks = `{ $function }` behält Leerzeichen am Anfang und Ende einer Zeile: rufe dafür `{ $remedy }` auf
keeps-line-break = `read_line` behält den Zeilenumbruch: rufe `trim` vor `parse` auf
only-capitals = nur Groß- und Kleinschreibung weicht von der erwarteten Ausgabe ab
output-goes-on = die Antwort stimmt, aber dann geht die Ausgabe weiter: gib nur die Antwort aus
words-beside-answer = die Ausgabe hat Wörter neben der Antwort, etwa `{ $word }`: gib nur die Antwort aus
sanitize-to-see = { $reason }: kompiliere mit -g -fsanitize=address,undefined, um zu sehen, wo
it-does = es { $what }
uses-freed = benutzt freigegebenen Speicher
uses-ended-block = benutzt eine lokale Variable eines beendeten Blocks
frees-twice = gibt Speicher zweimal frei
calls-too-deeply = ruft Funktionen zu tief auf oder hat zu große lokale Arrays
index-outside-array = benutzt einen Index außerhalb eines Arrays
index-outside-vector = benutzt einen Index außerhalb eines Vektors oder Strings
empty-container = nimmt ein Element aus einem leeren Container
invalid-iterator = benutzt einen ungültigen Iterator
divides-by-zero = teilt durch null
null-pointer = benutzt einen Nullzeiger
number-too-large = berechnet eine Zahl, die für ihren Typ zu groß ist
no-return = beendet eine Funktion ohne `return`
writes-outside = schreibt außerhalb eines Arrays
reads-outside = liest außerhalb eines Arrays
text-as-number = wandelt einen Text in eine Zahl um, der keine ist
wild-address = benutzt eine Adresse außerhalb seines Speichers, etwa einen Index weit außerhalb eines Arrays
may-use-unset = benutzt vielleicht `{ $variable }`, bevor es einen Wert hat
uses-unset = benutzt `{ $variable }`, bevor es einen Wert hat
uses-some-unset = benutzt eine Variable, bevor sie einen Wert hat
at-place = { $what } ({ $place })
right-by-chance = { $what }: das Programm ist nur richtig, wo der Speicher zufällig null ist
