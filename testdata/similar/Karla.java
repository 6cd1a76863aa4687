import java.util.*;

public class Karla {
    private record Span(int from, int length) {
        Span withoutFirst() { return new Span(from + 1, length - 1); }
        Span withoutLast() { return new Span(from, length - 1); }
    }

    private final List<Integer> coins = new ArrayList<>();
    private final Map<Span, Integer> results = new HashMap<>();

    private int total(Span span) {
        return coins.subList(span.from(), span.from() + span.length()).stream().mapToInt(c -> c).sum();
    }

    private void compute() {
        for (int length = 0; length <= coins.size(); length++) {
            for (int from = 0; from + length <= coins.size(); from++) {
                Span span = new Span(from, length);
                if (length == 0) {
                    results.put(span, 0);
                    continue;
                }
                int worse = Math.min(results.get(span.withoutFirst()), results.get(span.withoutLast()));
                results.put(span, total(span) - worse);
            }
        }
    }

    public static void main(String[] args) {
        Karla game = new Karla();
        try (Scanner scanner = new Scanner(System.in)) {
            scanner.next();
            while (scanner.hasNextInt()) game.coins.add(scanner.nextInt());
        }
        game.compute();
        System.out.println(game.results.get(new Span(0, game.coins.size())));
    }
}
