### Spanish

## Headings and labels of pages
skip-to-results = Ir a los resultados
results-by-group = Resultados por grupos y casos
cases-title = Casos
case-column = caso
result-column = resultado
happened-column = qué pasó
test-column = Prueba
happened-title = Qué pasó
your-program-title = Tu programa
your-grade = Tu nota
compiler-says-title = El compilador dice
compiler-says = El compilador dice:
whole-message = El mensaje completo:
failing-input-title = Una entrada con la que falla
no-text = Este archivo no es de texto.
no-submission-here = No hay ninguna entrega para este problema.
judged-at = Evaluado el { $date } con kopek { $version }
excused = justificado
limits-with-reason = límite de tiempo { $time } ({ $reason }) · límite de memoria { $memory }
limits = límite de tiempo { $time } · límite de memoria { $memory }
above-is-repeated = una ejecución que lo supera se repite
one-run-decided = los límites de tiempo se decidieron con una sola ejecución
one-run-decides = decide una sola ejecución
about = { $place }: { $reason }

## Values in sentences
name = { $name }
foreign = { $text }
number = { $number }
titled = { $title }:
not-known = desconocido
names-and-more = { $names } y { $number } más
separator = { $before }; { $after }
several = { $parts }
weeks = { $number ->
    [one] 1 semana
   *[other] { $number } semanas
}
days = { $number ->
    [one] 1 día
   *[other] { $number } días
}
hours = { $number ->
    [one] 1 hora
   *[other] { $number } horas
}
minutes = { $number ->
    [one] 1 minuto
   *[other] { $number } minutos
}
seconds = { $number ->
    [one] 1 segundo
   *[other] { $number } segundos
}
span-of = { $span }

## Groups and cases
samples = ejemplos
secret-cases = pruebas
group-heading = Grupo { $name }
group-named = grupo { $name }
case-of-group = el caso { $case } de { $group }
case-named = el caso { $case }
cases = { $number ->
    [one] 1 caso
   *[other] { $number } casos
}
more-cases = { $number ->
    [one] 1 caso más
   *[other] { $number } casos más
}
cases-some-right = { $count }, { $number } OK
cases-right = { $count } OK
cases-skipped-because = { $count } sin ejecutar: { $reason }
cases-skipped = { $count } sin ejecutar
cases-not-run = { $count } sin ejecutar
group-skipped = omitido: no se superó { $group }
group-is-lost = el grupo ya no recibe puntos
result-is-known = el resultado ya se conoce
more-lines = { $number ->
    [one] … 1 línea más
   *[other] … { $number } líneas más
}
more-letters = { $number ->
    [one] … 1 más
   *[other] … { $number } más
}
lines = { $number ->
    [one] … 1 línea
   *[other] … { $number } líneas
}
earlier-lines = { $number ->
    [one] … 1 línea antes
   *[other] … { $number } líneas antes
}
points-of-max = { $points } de { $max } puntos
points = { $points ->
    [one] { $points } punto
   *[other] { $points } puntos
}

## Verdicts and states
accepted = correcto
wrong-answer = respuesta incorrecta
time-limit = límite de tiempo
idle-limit = espera excesiva
memory-limit = límite de memoria
output-limit = demasiada salida
run-time-error = error de ejecución
compile-error = error de compilación
no-program = sin programa ejecutable
not-judged = sin evaluar
trials-missing = { $number ->
    [one] sin evaluar: falta 1 ejecución
   *[other] sin evaluar: faltan { $number } ejecuciones
}
needs-group = sin ejecutar: requiere { $group }
skipped = omitido

## What happened on a case
right = Correcto.
right-in = Correcto, en { $time }.
gave-wrong-answer = Tu programa dio una respuesta incorrecta.
took-longer-stopped = Tu programa tardó más que el límite de { $limit }: se detuvo a los { $time }.
took-longer-done = Tu programa tardó más que el límite de { $limit }: terminó a los { $time }.
took-longer = Tu programa tardó más que el límite de { $limit }.
waited-too-long = Tu programa esperó demasiado sin calcular. Quizá lee más entrada de la que hay.
needed-more-memory = Tu programa necesitó más memoria que el límite de { $limit }.
wrote-too-much = Tu programa escribió más salida de la permitida.
crashed-because = Tu programa falló: { $reason }.
crashed = Tu programa falló.
does-not-compile = Tu programa no compila.
nothing-to-run = No hay ningún programa que ejecutar.
printed-instead = Tu programa imprimió { $found } donde se esperaba { $expected }
ends-before = La salida de tu programa acaba donde se esperaba { $expected }
printed-after-end = Tu programa imprimió { $found } tras el final de la salida esperada
output-differs = La salida de tu programa difiere de la esperada
at-line-because = (línea { $line }: { $error }).
not-a-number = no es un número
absolute-error = error absoluto { $error }, permitido { $allowed }
relative-error = error relativo { $error }, permitido { $allowed }
infinite = infinito
beyond-measure = imposible de medir
at-line = (línea { $line }).
signs-of-difference = − esperado, + tuyo:
wrote-on-stderr = { $case } escribió en la salida de errores:
judge-label = juez:
input-label = entrada:
expected-label = salida esperada:
stderr-label = salida de errores:
arguments-label = argumentos:
files-label = archivos:
input = entrada
expected-output = salida esperada
your-output = tu salida
your-stderr = tu salida de errores
conversation = conversación (< juez, > programa)
first-lines-of = { $reason }, las primeras líneas de { $number } bytes
first-lines = { $reason }, las primeras líneas
nothing-of = { $reason }: nada
fails-on-sample = Tu programa falla con este ejemplo, { $sample }.
fails-on-input = Tu programa falla con esta entrada, que no es una de las pruebas.
fails-on-such-input = Tu programa falla con esta entrada, que no es una de las pruebas, pero tiene la misma forma.
fails-from = Falla con { $fails } como primer número y pasa con { $passes }.
array-too-small = El programa tiene el número { $number }: ¿es demasiado pequeño un arreglo?
program-ended = tu programa: { $state }, { $reason }
hint-of-case = Pista: { $reason }
hint = pista: { $reason }

## How a program ended
ended-well = terminó bien
exit-code = código de salida { $number }
killed-by = terminado por { $signal } ({ $reason })
killed-by-signal = terminado por la señal { $number }
stopped-by = detenido: { $reason }
cpu-time = tiempo de CPU
waited = esperaba entrada o dormía
memory = memoria
too-much-output = demasiada salida
too-much-in-files = demasiado escrito en archivos
too-many-processes = demasiados procesos
started-too-many = inició demasiados procesos o hilos
illegal-instruction = instrucción ilegal
aborted = abortado: una aserción fallida o una excepción no capturada
no-such-memory = acceso a memoria que no existe
division-by-zero = división por cero
killed = terminado a la fuerza
invalid-memory = acceso inválido a memoria o desbordamiento de pila
reader-gone = ya nadie leía su salida
terminated = terminado
file-too-large = archivo demasiado grande
forbidden-call = una llamada al sistema prohibida
right-output = la salida es correcta
output-not-written = no se escribió el archivo de salida
sample-file-not-needed = no se entregó ningún archivo para { $case }, aunque un ejemplo no lo necesita
no-file-for = no se entregó ningún archivo para { $case }
in-pass = en la pasada { $number }
after-that = después: { $fault }

## Results that are open
teacher-chooses = Tu docente decidirá cuál de estos archivos cuenta: { $files }
not-completely-judged = Tu programa aún no está evaluado del todo. Tu docente se ocupará.
ran-near-limit = { $group }: tu programa corrió cerca del límite de tiempo con la máquina ocupada, así que el resultado queda pendiente. Tu docente decidirá.
not-measured = { $group }: una ejecución no se pudo medir con exactitud, así que el resultado queda pendiente. Tu docente decidirá.
others-not-judged = Tu programa es { $file }. Sin evaluar: { $files }
problem-has-error = El problema tiene un error en el servidor, así que tu programa no se evaluó. Avisa a tu docente.
judging-took-long = Tu programa no se evaluó hasta el final, porque sus ejecuciones tardan mucho. Comprueba otra vez para continuar.
not-all-judged = No se pudo evaluar todo, así que aún no hay puntos. Comprueba más tarde; avisa a tu docente si sigue así.
no-samples = Este problema no tiene ejemplos con los que probar tu programa.

## Decisions, points by hand, lateness
decided-by = decidido por { $by }: { $comment }
case-was = un caso: { $reason }
case-decided = { $case }: { $state }, decidido por { $by }: { $comment }
of-total = el total: { $reason }
points-by-hand = { $before } → { $after } puntos, a mano: { $by }
excused-by-hand = justificado, a mano: { $by }
by-hand = a mano: { $by }
by-with-comment = { $by }: { $comment }
penalty = { $points ->
    [one] descuento de { $points } punto: { $reason }
   *[other] descuento de { $points } puntos: { $reason }
}
lose-up-to = las entregas tardías pierden { $amount } hasta { $span } de retraso
also-up-to = { $amount } hasta { $span } de retraso
later-than = { $span } de retraso, más de { $most }: sin puntos
late-each-at-most = { $span } de retraso, { $amount } cada vez, como mucho { $most }
late-up-to = { $span } de retraso, hasta { $most }: { $amount }
late-each = { $span } de retraso, { $amount } cada vez
percent-reached = el { $percent } % de los puntos obtenidos
after-deadline = { $span } después del plazo
less-extension = menos { $span } de prórroga
less-grace = menos { $span } de gracia
less-budget = menos { $span } de la reserva para retrasos
in-time = a tiempo
late-by = { $span } de retraso

## Totals and rules
not-among-best = no está entre los mejores problemas que cuentan: { $problems }
above-maximum = { $points } superan el máximo: cuentan { $max }
rounded-to = redondeado a un múltiplo de { $step }: { $points }
sum-is = { $sum } = { $points } de { $max }
plus = { $left } + { $right }
term = { $points } ({ $package })
weighted-term = { $weight } × { $points } ({ $package })
scaled-to = { $points } de { $most } son { $scaled } de { $max }
weight-is = los puntos de { $package } cuentan { $factor } veces
best-count = { $number ->
    [one] cuenta el mejor de { $count }
   *[other] cuentan los mejores { $number } de { $count }
}
problems = { $number ->
    [one] 1 problema
   *[other] { $number } problemas
}
total-is-out-of = { $points ->
    [one] el total es sobre { $points } punto
   *[other] el total es sobre { $points } puntos
}
is-bonus = { $package } es un extra: sus puntos cuentan por encima del máximo
totals-capped = los totales por encima del máximo cuentan como el máximo
totals-rounded = los totales se redondean a múltiplos de { $step }, los medios hacia arriba
language-has-time = los programas en { $language } tienen { $factor } veces el límite de tiempo
only-standard-library = los programas en { $language } solo pueden usar la biblioteca estándar
own-time-limit = límite de tiempo { $limit }: { $factor } veces el del problema
lose-each-minute = las entregas tardías pierden { $amount } por cada minuto empezado
lose-each-hour = las entregas tardías pierden { $amount } por cada hora empezada
lose-each-day = las entregas tardías pierden { $amount } por cada día empezado
lose-each-week = las entregas tardías pierden { $amount } por cada semana empezada
at-most = { $rule }, como máximo { $most }
later-nothing = más de { $span } de retraso: sin puntos
deadline-was = la fecha límite era { $time }
grace-of = gracia de { $span }
budget-of = reserva de { $span } por participante, usada en el orden de los problemas
nobody-late = ninguna entrega tardía
case-excluded = { $package }: { $cases } no cuenta
cases-excluded = { $package }: { $cases } no cuentan

## Changes since an earlier report
another-program = otro programa
hand-change = puntos o comentarios a mano
other-lateness = retraso o prórroga
other-data = datos o límites del problema
other-course = reglas del curso
judged-again = el mismo programa se volvió a evaluar
groups-changed = ha cambiado: { $groups }

## Hand-ins
judge-error = ERROR DEL JUEZ: { $reason }
validator-broke-rules = un validador rompió las reglas; tu docente conoce los detalles
judged-file = evaluado: { $file }
best-of-attempts = el mejor de { $number } intentos
same-program-as = el mismo programa que el de { $name }
compiler-line = no compila: { $line }
static-failed = validación estática de { $group }: { $state }
no-known-language = ningún archivo está en un lenguaje conocido: { $files }
no-allowed-language = ningún archivo está en un lenguaje permitido ({ $languages }): { $files }
unknown-ending = ningún lenguaje conocido: { $file } no tiene una extensión de la tabla (véase `kopek languages`)
several-languages = más de un lenguaje: { $files }; entrega solo uno
file-is = { $file } es { $language }
language-forbidden = { $name } (`{ $code }`) no está permitido aquí; permitido: { $allowed }
hand-in-too-large = se entregaron { $size }; el límite es { $limit }
no-regular-file = { $file } es un enlace o no es un archivo normal; entrega el archivo mismo
not-among-files = { $file } no está entre los archivos
reserved-name = un archivo no debe llamarse { $file }
no-entry-file = el punto de entrada { $file } no está entre los archivos
no-file-ends-in = ningún archivo termina en { $endings }
declared-other = declarado como { $name }, pero ningún archivo termina en { $endings }
process-limit-hit = límite de procesos alcanzado
forbidden-call-made = llamada al sistema prohibida
kernel-stopped = el núcleo lo detuvo por falta de memoria
box-full = la zona aislada estaba llena
left-processes = procesos dejados: { $number }
link-or-device = { $file } es un enlace o un dispositivo; entrega el archivo mismo
symbolic-link = un enlace simbólico; entrega el archivo mismo
neither-file-nor-folder = ni un archivo ni un directorio
has-no-name = no tiene nombre
more-than-files = más de { $number } archivos
file-empty = el archivo está vacío
no-files = no hay archivos
nothing-for = no se entregó nada para { $package }
nothing-handed-in = no se entregó nada
for-no-package = de ningún problema: { $files }
counts-as-none = no cuenta como programa, según decidió el docente
no-judgeable-program = ningún programa que se pueda evaluar
no-main-method = sin punto de entrada: ninguna clase tiene un método `main`
python2 = { $file }: esto es Python 2 ({ $reason }); se evalúa como Python 3
print-without-parentheses = `print` sin paréntesis
except-with-comma = `except` con una coma
converted = { $file } era { $encoding }, convertido a UTF-8
read-as = { $file } se lee como { $language }
read-cells = { $file } se lee como Python 3: sus celdas de código
read-cells-without = { $file } se lee como Python 3: sus celdas de código, sin { $count } para el propio notebook (%, ! o ?)
notebook-lines = { $number ->
    [one] 1 línea
   *[other] { $number } líneas
}
jupyter-shows = Jupyter muestra `{ $line }`, un programa no: usa print
earlier-upload = cuenta { $new }; un envío anterior no: { $old }
file-skipped = { $file } ({ $size }) se omite: con él, el programa supera el límite de código de { $limit }
run-without = ejecutado sin { $files }; un programa recibe los archivos que su texto nombra
hidden = (oculto: contiene un nombre)
output-hidden = tu salida: (oculta: contiene un nombre)

## Growth
takes-times = tarda unas { $factor } veces más cuando se duplica { $reason }
needs-times = necesita unas { $factor } veces más memoria cuando se duplica { $reason }
with-sizes = { $what } ({ $from } a { $to })
chart-title = Tu programa y soluciones correctas
chart-legend = Oscuro: tu programa. Claro: soluciones correctas. Discontinuo: el límite.
number-of-words = el número de palabras
size-of-input = el tamaño de la entrada
number-of-line = el número { $number } de la línea { $line }
accepted-between = soluciones correctas: de { $least } a { $most } veces
accepted-times = soluciones correctas: { $factor } veces
accepted-at-most = las soluciones correctas tardan como mucho { $time } s con estas entradas
exceeds-with = supera el límite de tiempo con esta entrada: { $changes } (las soluciones correctas tardan como mucho { $time } s)

## Changes that make an input slow
number-is = { $number } = { $value }
first-number-of-line = el primer número de la línea { $line }
whole-line = línea { $line }
column-from-line = columna { $column } desde la línea { $line }
pairs-from-line = los pares desde la línea { $line }
word-of-line = la palabra { $word } de la línea { $line }
letters = { $number ->
    [one] 1 letra
   *[other] { $number } letras
}
as-in-case = como en el caso, repitiendo
sorted = en orden ascendente
sorted-down = en orden descendente
all-least = siempre el valor mínimo
all-largest = siempre el valor máximo
counting-up = contando hacia arriba
counting-down = contando hacia abajo
two-values-by-turns = dos valores alternados
equal-blocks = bloques de valores iguales
up-and-down = subida y luego bajada
largest-first = el valor mínimo, salvo el máximo al principio
largest-last = el valor mínimo, salvo el máximo al final
least-last = el valor máximo, salvo el mínimo al final
nearly-sorted = en orden ascendente, salvo algunos intercambios
multiples-of = múltiplos de { $number }
one-letter = una sola letra
last-letter-only = solo la última de las letras
serpentine = una serpentina
other-letter-last = una letra, otra al final
other-letter-first = una letra, otra al principio
other-letter-middle = una letra, otra en el medio
two-letters-by-turns = dos letras alternadas
one-then-another = una letra y luego otra
fibonacci-word = una palabra de Fibonacci
path = un camino
path-from-end = un camino desde su final
mixed-path = un camino con números mezclados
star = una estrella
star-at-end = una estrella alrededor del último nodo
caterpillar = una oruga
broom = una escoba
binary-tree = un árbol binario
complete-bipartite = un grafo bipartito completo

## Hints
reads-more-than-input = lee más de lo que hay en la entrada: compara su orden de lectura con el enunciado
may-be-this = puede ser esto: { $reason }
nested-calls = Python se detiene con unas 1000 llamadas anidadas: usa un bucle o sube el límite con sys.setrecursionlimit
opens-file = abre un archivo para la entrada: lee en su lugar la entrada estándar
must-flush = esperaba. Un programa que habla con otro debe vaciar cada línea: print(…, flush=True), cout << endl, fflush(stdout)
prints-nothing = no imprime nada
reads-more-lines = lee más líneas de las que hay en la entrada: compara con el enunciado; una línea puede tener varios números
line-as-number = lee una línea de varios números como un solo número: separa primero la línea
remove-last-input = la salida es correcta, pero luego sigue leyendo: quita el último `input()`
remove-last-read = la salida es correcta, pero luego sigue leyendo: quita la última lectura
write-int-main = la salida es correcta, pero el código de salida no es 0: escribe `int main` y termínalo con `return 0`
remove-exit = la salida es correcta, pero el código de salida no es 0: quita el exit del final o sal con 0
windows-header = `{ $header }` solo existe en Windows: quítalo, y también lo que depende de él, como `getch()`
only-blanks = solo los espacios o saltos de línea difieren de la salida esperada
scanf-address = `scanf` necesita la dirección de `{ $name }`: escribe `&{ $other }`
main-in-capitals = el programa empieza en `main`, no en `Main`
getline-after-number = `getline` después de `>>` lee el resto de esa línea, que está vacío: escribe antes `cin >> ws`
next-line-after-int = `nextLine` después de `nextInt` lee el resto de esa línea, que está vacío: llama antes a `nextLine` una vez más
strings-as-places = `==` no compara las letras de las cadenas en Java: usa `equals`
vector-kept = `{ $name }` conserva los elementos del test anterior: llama a `{ $other }.clear()` en cada test
decimal-for-integer = imprime `{ $text }` donde la respuesta es un entero: calcula con enteros
lost-digits = imprime `{ $text }`, que ha perdido cifras: usa un tipo entero en vez de `double`
keeps-blanks = `{ $function }` conserva los espacios al principio y al final de una línea: aplícale `{ $remedy }`
keeps-line-break = `read_line` conserva el salto de línea: llama a `trim` antes de `parse`
only-capitals = solo las mayúsculas difieren de la salida esperada
output-goes-on = la respuesta es correcta, pero la salida continúa: imprime solo la respuesta
words-beside-answer = la salida tiene palabras además de la respuesta, como `{ $word }`: imprime solo la respuesta
sanitize-to-see = { $reason }: compila con -g -fsanitize=address,undefined para ver dónde
it-does = { $what }
uses-freed = usa memoria ya liberada
uses-ended-block = usa una variable local de un bloque que ya terminó
frees-twice = libera memoria dos veces
calls-too-deeply = anida demasiadas llamadas a funciones o tiene arreglos locales demasiado grandes
index-outside-array = usa un índice fuera de un arreglo
index-outside-vector = usa un índice fuera de un vector o una cadena
empty-container = toma un elemento de un contenedor vacío
invalid-iterator = usa un iterador no válido
divides-by-zero = divide por cero
null-pointer = usa un puntero nulo
number-too-large = calcula un número demasiado grande para su tipo
no-return = termina una función sin `return`
writes-outside = escribe fuera de un arreglo
reads-outside = lee fuera de un arreglo
text-as-number = convierte en número un texto que no lo es
wild-address = usa una dirección fuera de su memoria, como un índice muy fuera de un arreglo
may-use-unset = quizá usa `{ $variable }` antes de que tenga un valor
uses-unset = usa `{ $variable }` antes de que tenga un valor
uses-some-unset = usa una variable antes de que tenga un valor
at-place = { $what } ({ $place })
right-by-chance = { $what }: solo es correcto donde la memoria es cero por casualidad
