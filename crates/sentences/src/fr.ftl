### French

## Headings and labels of pages
skip-to-results = Aller aux résultats
results-by-group = Résultats par groupes et par cas
cases-title = Cas de test
case-column = cas
result-column = résultat
happened-column = ce qui s'est passé
test-column = Test
happened-title = Ce qui s'est passé
your-program-title = Ton programme
your-grade = Ta note
compiler-says-title = Le compilateur dit
compiler-says = Le compilateur dit :
whole-message = Le message entier :
failing-input-title = Une entrée sur laquelle il échoue
no-text = Ce fichier n'est pas du texte.
no-submission-here = Il n'y a pas de rendu pour ce problème.
judged-at = Évalué le { $date } par kopek { $version }
excused = excusé
limits-with-reason = limite de temps { $time } ({ $reason }) · limite de mémoire { $memory }
limits = limite de temps { $time } · limite de mémoire { $memory }
above-is-repeated = une exécution qui la dépasse est répétée
one-run-decided = les limites de temps ont été décidées par une seule exécution
one-run-decides = une seule exécution décide
about = { $place } : { $reason }

## Values in sentences
name = { $name }
foreign = { $text }
number = { $number }
titled = { $title } :
not-known = inconnu
names-and-more = { $number ->
    [one] { $names } et { $number } autre
   *[other] { $names } et { $number } autres
}
separator = { $before } ; { $after }
several = { $parts }
weeks = { $number ->
    [one] 1 semaine
   *[other] { $number } semaines
}
days = { $number ->
    [one] 1 jour
   *[other] { $number } jours
}
hours = { $number ->
    [one] 1 heure
   *[other] { $number } heures
}
minutes = { $number ->
    [one] 1 minute
   *[other] { $number } minutes
}
seconds = { $number ->
    [one] 1 seconde
   *[other] { $number } secondes
}
span-of = { $span }

## Groups and cases
samples = exemples
secret-cases = tests
group-heading = Groupe { $name }
group-named = groupe { $name }
case-of-group = le cas { $case } de { $group }
case-named = le cas { $case }
cases = { $number ->
    [one] 1 cas
   *[other] { $number } cas
}
more-cases = { $number ->
    [one] 1 autre cas
   *[other] { $number } autres cas
}
cases-some-right = { $count }, { $number } OK
cases-right = { $count } OK
cases-skipped-because = sautés : { $count } ; { $reason }
cases-skipped = sautés : { $count }
cases-not-run = non exécutés : { $count }
group-skipped = sauté : { $group } n'est pas réussi
group-is-lost = le groupe ne rapporte plus de points
result-is-known = le résultat est déjà connu
more-lines = { $number ->
    [one] … 1 autre ligne
   *[other] … { $number } autres lignes
}
more-letters = { $number ->
    [one] … 1 de plus
   *[other] … { $number } de plus
}
lines = { $number ->
    [one] … 1 ligne
   *[other] … { $number } lignes
}
earlier-lines = { $number ->
    [one] … 1 ligne avant
   *[other] … { $number } lignes avant
}
points-of-max = { $points } points sur { $max }
points = { $points ->
    [one] { $points } point
   *[other] { $points } points
}

## Verdicts and states
accepted = accepté
wrong-answer = réponse incorrecte
time-limit = temps dépassé
idle-limit = attente trop longue
memory-limit = mémoire dépassée
output-limit = trop de sortie
run-time-error = erreur d'exécution
compile-error = erreur de compilation
no-program = pas de programme exécutable
not-judged = non évalué
trials-missing = { $number ->
    [one] non évalué : il manque 1 exécution
   *[other] non évalué : il manque { $number } exécutions
}
needs-group = non exécuté : { $group } est requis
skipped = sauté

## What happened on a case
right = Juste.
right-in = Juste, en { $time }.
gave-wrong-answer = Ton programme a donné une réponse incorrecte.
took-longer-stopped = Ton programme a dépassé la limite de { $limit } : il a été arrêté après { $time }.
took-longer-done = Ton programme a dépassé la limite de { $limit } : il a terminé après { $time }.
took-longer = Ton programme a dépassé la limite de { $limit }.
waited-too-long = Ton programme a attendu trop longtemps sans calculer. Peut-être lit-il plus d'entrée qu'il n'y en a.
needed-more-memory = Ton programme a utilisé plus de mémoire que la limite de { $limit }.
wrote-too-much = Ton programme a écrit plus de sortie que permis.
crashed-because = Ton programme a planté : { $reason }.
crashed = Ton programme a planté.
does-not-compile = Ton programme ne compile pas.
nothing-to-run = Il n'y a pas de programme à exécuter.
printed-instead = Ton programme a affiché { $found } là où { $expected } était attendu
ends-before = La sortie de ton programme se termine là où { $expected } était attendu
printed-after-end = Ton programme a affiché { $found } après la fin de la sortie attendue
output-differs = La sortie de ton programme diffère de la sortie attendue
at-line-because = (ligne { $line } : { $error }).
not-a-number = pas un nombre
absolute-error = erreur absolue { $error }, permise { $allowed }
relative-error = erreur relative { $error }, permise { $allowed }
infinite = infinie
beyond-measure = hors de mesure
at-line = (ligne { $line }).
signs-of-difference = − attendu, + le tien :
wrote-on-stderr = { $case } a écrit sur la sortie d'erreur :
judge-label = juge :
input-label = entrée :
expected-label = sortie attendue :
stderr-label = sortie d'erreur :
arguments-label = arguments :
files-label = fichiers :
input = entrée
expected-output = sortie attendue
your-output = ta sortie
your-stderr = ta sortie d'erreur
conversation = dialogue (< juge, > programme)
first-lines-of = { $reason }, les premières lignes sur { $number } octets
first-lines = { $reason }, les premières lignes
nothing-of = { $reason } : rien
fails-on-sample = Ton programme échoue sur cet exemple, { $sample }.
fails-on-input = Ton programme échoue sur cette entrée, qui n'est pas un des tests.
fails-on-such-input = Ton programme échoue sur cette entrée, qui n'est pas un des tests, mais de la même forme.
fails-from = Il échoue avec { $fails } comme premier nombre et réussit avec { $passes }.
array-too-small = Le programme contient le nombre { $number } : un tableau est-il trop petit ?
program-ended = ton programme : { $state }, { $reason }
hint-of-case = Indice : { $reason }
hint = indice : { $reason }

## How a program ended
ended-well = terminé normalement
exit-code = code de sortie { $number }
killed-by = tué par { $signal } ({ $reason })
killed-by-signal = tué par le signal { $number }
stopped-by = arrêté : { $reason }
cpu-time = temps CPU
waited = attendait une entrée ou dormait
memory = mémoire
too-much-output = trop de sortie
too-much-in-files = trop écrit dans des fichiers
too-many-processes = trop de processus
started-too-many = il a lancé trop de processus ou de threads
illegal-instruction = instruction illégale
aborted = abandon : une assertion fausse ou une exception non attrapée
no-such-memory = accès à une mémoire qui n'existe pas
division-by-zero = division par zéro
killed = tué
invalid-memory = accès mémoire invalide ou débordement de pile
reader-gone = plus personne ne lisait sa sortie
terminated = terminé
file-too-large = fichier trop grand
forbidden-call = un appel système interdit
right-output = la sortie est juste
output-not-written = le fichier de sortie n'a pas été écrit
sample-file-not-needed = aucun fichier n'a été rendu pour { $case }, ce dont un exemple n'a pas besoin
no-file-for = aucun fichier n'a été rendu pour { $case }
in-pass = dans la passe { $number }
after-that = ensuite : { $fault }

## Results that are open
teacher-chooses = Ton enseignant décidera lequel de ces fichiers compte : { $files }
not-completely-judged = Ton programme n'est pas encore entièrement évalué. Ton enseignant s'en occupe.
ran-near-limit = { $group } : ton programme a tourné près de la limite de temps sur une machine occupée ; le résultat est en suspens. Ton enseignant décidera.
not-measured = { $group } : une exécution n'a pas pu être mesurée exactement ; le résultat est en suspens. Ton enseignant décidera.
others-not-judged = Ton programme est { $file }. Non évalué : { $files }
problem-has-error = Le problème comporte une erreur sur le serveur ; ton programme n'a pas été évalué. Préviens ton enseignant.
judging-took-long = Ton programme n'a pas été évalué jusqu'au bout, car ses exécutions durent longtemps. Vérifie encore une fois pour continuer.
not-all-judged = Tout n'a pas pu être évalué ; il n'y a pas encore de points. Vérifie plus tard ; préviens ton enseignant si cela dure.
no-samples = Ce problème n'a pas d'exemples pour essayer ton programme.

## Decisions, points by hand, lateness
decided-by = décidé par { $by } : { $comment }
case-was = un cas : { $reason }
case-decided = { $case } : { $state }, décidé par { $by } : { $comment }
of-total = le total : { $reason }
points-by-hand = { $before } → { $after } points, à la main : { $by }
excused-by-hand = excusé, à la main : { $by }
by-hand = à la main : { $by }
by-with-comment = { $by } : { $comment }
penalty = { $points ->
    [one] pénalité de { $points } point : { $reason }
   *[other] pénalité de { $points } points : { $reason }
}
lose-up-to = les rendus en retard perdent { $amount } jusqu'à { $span } de retard
also-up-to = { $amount } jusqu'à { $span } de retard
later-than = { $span } de retard, plus de { $most } : aucun point
late-each-at-most = { $span } de retard, { $amount } chaque fois, au plus { $most }
late-up-to = { $span } de retard, jusqu'à { $most } : { $amount }
late-each = { $span } de retard, { $amount } chaque fois
percent-reached = { $percent } % des points obtenus
after-deadline = { $span } après la date limite
less-extension = moins { $span } de prolongation
less-grace = moins { $span } de tolérance
less-budget = moins { $span } de la réserve pour retards
in-time = à temps
late-by = { $span } de retard

## Totals and rules
not-among-best = pas parmi les meilleurs problèmes qui comptent : { $problems }
above-maximum = { $points } dépassent le maximum : { $max } comptent
rounded-to = arrondi à un multiple de { $step } : { $points }
sum-is = { $sum } = { $points } sur { $max }
plus = { $left } + { $right }
term = { $points } ({ $package })
weighted-term = { $weight } × { $points } ({ $package })
scaled-to = { $points } sur { $most } font { $scaled } sur { $max }
weight-is = les points de { $package } comptent { $factor } fois
best-count = { $number ->
    [one] le meilleur sur { $count } compte
   *[other] les { $number } meilleurs sur { $count } comptent
}
problems = { $number ->
    [one] 1 problème
   *[other] { $number } problèmes
}
total-is-out-of = { $points ->
    [one] le total est sur { $points } point
   *[other] le total est sur { $points } points
}
is-bonus = { $package } est un bonus : ses points comptent au-delà du maximum
totals-capped = les totaux au-dessus du maximum comptent comme le maximum
totals-rounded = les totaux sont arrondis à des multiples de { $step }, les milieux vers le haut
language-has-time = les programmes en { $language } ont { $factor } fois la limite de temps
only-standard-library = les programmes en { $language } ne peuvent utiliser que la bibliothèque standard
own-time-limit = limite de temps { $limit } : { $factor } fois celle du problème
lose-each-minute = les rendus en retard perdent { $amount } par minute entamée
lose-each-hour = les rendus en retard perdent { $amount } par heure entamée
lose-each-day = les rendus en retard perdent { $amount } par jour entamé
lose-each-week = les rendus en retard perdent { $amount } par semaine entamée
at-most = { $rule }, au plus { $most }
later-nothing = plus de { $span } de retard : aucun point
deadline-was = la date limite était { $time }
grace-of = tolérance de { $span }
budget-of = réserve de { $span } par personne, utilisée dans l'ordre des problèmes
nobody-late = aucun rendu en retard
case-excluded = { $package } : { $cases } ne compte pas
cases-excluded = { $package } : { $cases } ne comptent pas

## Changes since an earlier report
another-program = un autre programme
hand-change = points ou commentaires à la main
other-lateness = retard ou délai supplémentaire
other-data = données ou limites du problème
other-course = règles du cours
judged-again = le même programme a été évalué de nouveau
groups-changed = changé : { $groups }

## Hand-ins
judge-error = ERREUR DU JUGE : { $reason }
validator-broke-rules = un validateur a enfreint les règles ; ton enseignant connaît les détails
judged-file = évalué : { $file }
best-of-attempts = le meilleur de { $number } essais
same-program-as = le même programme que celui de { $name }
compiler-line = ne compile pas : { $line }
static-failed = validation statique de { $group } : { $state }
no-known-language = aucun fichier n'est dans un langage connu : { $files }
no-allowed-language = aucun fichier n'est dans un langage permis ({ $languages }) : { $files }
unknown-ending = aucun langage connu : l'extension de { $file } n'est pas dans la table (voir `kopek languages`)
several-languages = plus d'un langage : { $files } ; n'en rends qu'un
file-is = { $file } est en { $language }
language-forbidden = { $name } (`{ $code }`) n'est pas permis ici ; permis : { $allowed }
hand-in-too-large = { $size } ont été rendus ; la limite est de { $limit }
no-regular-file = { $file } est un lien ou n'est pas un fichier ordinaire ; rends le fichier lui-même
not-among-files = { $file } n'est pas parmi les fichiers
reserved-name = un fichier ne doit pas s'appeler { $file }
no-entry-file = le point d'entrée { $file } n'est pas parmi les fichiers
no-file-ends-in = aucun fichier ne se termine par { $endings }
declared-other = déclaré comme { $name }, mais aucun fichier ne se termine par { $endings }
process-limit-hit = limite de processus atteinte
forbidden-call-made = appel système interdit
kernel-stopped = le noyau l'a arrêté par manque de mémoire
box-full = le bac à sable était plein
left-processes = processus laissés : { $number }
link-or-device = { $file } est un lien ou un périphérique ; rends le fichier lui-même
symbolic-link = un lien symbolique ; rends le fichier lui-même
neither-file-nor-folder = ni un fichier ni un dossier
has-no-name = n'a pas de nom
more-than-files = plus de { $number } fichiers
file-empty = le fichier est vide
no-files = il n'y a pas de fichiers
nothing-for = rien n'a été rendu pour { $package }
nothing-handed-in = rien n'a été rendu
for-no-package = pour aucun problème : { $files }
counts-as-none = ne compte pas comme programme, sur décision de l'enseignant
no-judgeable-program = pas de programme qui puisse être évalué
no-main-method = pas de point d'entrée : aucune classe n'a de méthode `main`
python2 = { $file } : c'est du Python 2 ({ $reason }) ; il est évalué comme Python 3
print-without-parentheses = `print` sans parenthèses
except-with-comma = `except` avec une virgule
converted = { $file } était en { $encoding }, converti en UTF-8
read-as = { $file } est lu comme { $language }
read-cells = { $file } est lu comme Python 3 : ses cellules de code
read-cells-without = { $file } est lu comme Python 3 : ses cellules de code, sans { $count } pour le notebook lui-même (%, ! ou ?)
notebook-lines = { $number ->
    [one] 1 ligne
   *[other] { $number } lignes
}
jupyter-shows = Jupyter affiche `{ $line }`, un programme non : utilise print
earlier-upload = { $new } compte, un envoi antérieur non : { $old }
file-skipped = { $file } ({ $size }) est laissé de côté : avec lui, le programme dépasse la limite de code de { $limit }
run-without = exécuté sans { $files } ; un programme reçoit les fichiers que son texte nomme
hidden = (caché : contient un nom)
output-hidden = ta sortie : (cachée : elle contient un nom)

## Growth
takes-times = prend environ { $factor } fois plus de temps quand { $reason } double
needs-times = utilise environ { $factor } fois plus de mémoire quand { $reason } double
with-sizes = { $what } ({ $from } à { $to })
chart-title = Ton programme et des solutions acceptées
chart-legend = Foncé : ton programme. Clair : des solutions acceptées. Tirets : la limite.
number-of-words = le nombre de mots
size-of-input = la taille de l'entrée
number-of-line = { $number ->
    [1] le premier nombre de la ligne { $line }
   *[other] le { $number }e nombre de la ligne { $line }
}
accepted-between = solutions acceptées : { $least } à { $most } fois
accepted-times = solutions acceptées : { $factor } fois
accepted-at-most = les solutions acceptées prennent au plus { $time } s sur ces entrées
exceeds-with = dépasse la limite de temps avec cette entrée : { $changes } (les solutions acceptées prennent au plus { $time } s)

## Changes that make an input slow
number-is = { $number } = { $value }
first-number-of-line = le premier nombre de la ligne { $line }
whole-line = ligne { $line }
column-from-line = colonne { $column } à partir de la ligne { $line }
pairs-from-line = les paires à partir de la ligne { $line }
word-of-line = le { $word }e mot de la ligne { $line }
letters = { $number ->
    [one] 1 lettre
   *[other] { $number } lettres
}
as-in-case = comme dans le cas, en répétant
sorted = en ordre croissant
sorted-down = en ordre décroissant
all-least = partout la plus petite valeur
all-largest = partout la plus grande valeur
counting-up = en comptant vers le haut
counting-down = en comptant vers le bas
two-values-by-turns = deux valeurs en alternance
equal-blocks = des blocs de valeurs égales
up-and-down = montée puis descente
largest-first = la plus petite valeur, sauf la plus grande au début
largest-last = la plus petite valeur, sauf la plus grande à la fin
least-last = la plus grande valeur, sauf la plus petite à la fin
nearly-sorted = en ordre croissant, à quelques échanges près
multiples-of = des multiples de { $number }
one-letter = une seule lettre
last-letter-only = seulement la dernière des lettres
serpentine = un serpentin
other-letter-last = une lettre, une autre à la fin
other-letter-first = une lettre, une autre au début
other-letter-middle = une lettre, une autre au milieu
two-letters-by-turns = deux lettres en alternance
one-then-another = une lettre, puis une autre
fibonacci-word = un mot de Fibonacci
path = un chemin
path-from-end = un chemin à partir de sa fin
mixed-path = un chemin aux numéros mélangés
star = une étoile
star-at-end = une étoile autour du dernier nœud
caterpillar = une chenille
broom = un balai
binary-tree = un arbre binaire
complete-bipartite = un graphe biparti complet

## Hints
reads-more-than-input = il lit plus que l'entrée ne contient : compare son ordre de lecture avec l'énoncé
may-be-this = c'est peut-être cela : { $reason }
nested-calls = Python s'arrête à environ 1000 appels imbriqués : utilise une boucle, ou augmente la limite avec sys.setrecursionlimit
opens-file = il ouvre un fichier pour son entrée : lis plutôt l'entrée standard
must-flush = il attendait. Un programme qui parle à un autre doit vider chaque ligne : print(…, flush=True), cout << endl, fflush(stdout)
prints-nothing = il n'affiche rien
reads-more-lines = il lit plus de lignes que l'entrée n'en contient : compare avec l'énoncé ; une ligne peut contenir plusieurs nombres
line-as-number = il lit une ligne de plusieurs nombres comme un seul : découpe d'abord la ligne
remove-last-input = la sortie est juste, mais ensuite il lit encore : enlève le dernier `input()`
remove-last-read = la sortie est juste, mais ensuite il lit encore : enlève la dernière lecture
write-int-main = la sortie est juste, mais le code de sortie n'est pas 0 : écris `int main`, et termine-le par `return 0`
remove-exit = la sortie est juste, mais le code de sortie n'est pas 0 : enlève l'exit à la fin, ou sors avec 0
windows-header = `{ $header }` n'existe que sous Windows : enlève-le, et ce qui en dépend, comme `getch()`
only-blanks = seuls des espaces ou des retours à la ligne diffèrent de la sortie attendue
scanf-address = `scanf` a besoin de l'adresse de `{ $name }` : écris `&{ $other }`
main-in-capitals = le programme commence dans `main`, pas dans `Main`
getline-after-number = `getline` après `>>` lit le reste de cette ligne, qui est vide : écris `cin >> ws` avant
next-line-after-int = `nextLine` après `nextInt` lit le reste de cette ligne, qui est vide : appelle `nextLine` une fois de plus avant
strings-as-places = `==` ne compare pas les lettres des chaînes en Java : utilise `equals`
vector-kept = `{ $name }` garde les éléments du test précédent : appelle `{ $other }.clear()` pour chaque test
decimal-for-integer = il affiche `{ $text }` là où la réponse est un entier : calcule avec des entiers
lost-digits = il affiche `{ $text }`, qui a perdu des chiffres : utilise un type entier au lieu de `double`
keeps-blanks = `{ $function }` garde les espaces au début et à la fin d'une ligne : appelle `{ $remedy }` dessus
keeps-line-break = `read_line` garde le saut de ligne : appelle `trim` avant `parse`
only-capitals = seules les majuscules diffèrent de la sortie attendue
output-goes-on = la réponse est juste, mais la sortie continue : n'affiche que la réponse
words-beside-answer = la sortie contient des mots en plus de la réponse, comme `{ $word }` : n'affiche que la réponse
sanitize-to-see = { $reason } : compile avec -g -fsanitize=address,undefined pour voir où
it-does = il { $what }
uses-freed = utilise de la mémoire libérée
uses-ended-block = utilise une variable locale d'un bloc terminé
frees-twice = libère deux fois la même mémoire
calls-too-deeply = imbrique trop d'appels, ou a des tableaux locaux trop grands
index-outside-array = utilise un indice hors d'un tableau
index-outside-vector = utilise un indice hors d'un vector ou d'une chaîne
empty-container = prend un élément d'un conteneur vide
invalid-iterator = utilise un itérateur invalide
divides-by-zero = divise par zéro
null-pointer = utilise un pointeur nul
number-too-large = calcule un nombre trop grand pour son type
no-return = termine une fonction sans `return`
writes-outside = écrit hors d'un tableau
reads-outside = lit hors d'un tableau
text-as-number = convertit en nombre un texte qui n'en est pas un
wild-address = utilise une adresse hors de sa mémoire, comme un indice loin hors d'un tableau
may-use-unset = utilise peut-être `{ $variable }` avant qu'elle ait une valeur
uses-unset = utilise `{ $variable }` avant qu'elle ait une valeur
uses-some-unset = utilise une variable avant qu'elle ait une valeur
at-place = { $what } ({ $place })
right-by-chance = { $what } : il n'est juste que là où la mémoire est nulle par hasard
