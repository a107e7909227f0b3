import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Works and allocates on two threads at many depths of calls for as many seconds as it is told, to be recorded. */
class Recorded {
    static volatile long result;

    public static void main(String[] arguments) throws InterruptedException {
        long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000L;
        Thread other = new Thread(() -> work(end, 7), "other");
        other.start();
        work(end, 11);
        other.join();
    }

    static void work(long end, int seed) {
        int random = seed;
        while (System.nanoTime() < end) {
            random = random * 1103515245 + 12345;
            result += descend(random >>> 16, 4 + (random >>> 8) % 40);
        }
    }

    /** Which way it goes on depends on the bits of its path. */
    static long descend(int path, int depth) {
        if (depth <= 0) return path % 2 == 0 ? count(path) : primes(path % 4000);
        int next = Integer.rotateRight(path, 3);
        return switch (path & 3) {
            case 0 -> left(next, depth - 1);
            case 1 -> right(next, depth - 1);
            case 2 -> both(next, depth - 2);
            default -> descend(next, depth - 1);
        };
    }

    static long left(int path, int depth) {
        return 1 + descend(path, depth);
    }

    static long right(int path, int depth) {
        return 2 + descend(path, depth);
    }

    static long both(int path, int depth) {
        return left(path, depth / 2) + right(path + 1, depth / 2);
    }

    static long count(int path) {
        Map<String, Integer> counts = new HashMap<>();
        List<byte[]> rows = new ArrayList<>();
        for (int row = 0; row < 50; row++) {
            rows.add(new byte[100 + (path & 63)]);
            counts.merge("row " + (path + row) % 17, 1, Integer::sum);
        }
        return counts.size() + rows.size();
    }

    static long primes(int limit) {
        long sum = 0;
        for (int n = 2; n < limit; n++) if (isPrime(n)) sum += n;
        return sum;
    }

    static boolean isPrime(int n) {
        for (int divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor == 0) return false;
        return true;
    }
}
