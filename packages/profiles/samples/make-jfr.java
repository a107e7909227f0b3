package com.example;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A second and a half of work on processors, of allocating, and of waiting: for a lock, a time and a disk. */
class Orders {
    static final Object stock = new Object();
    static volatile boolean isOver;
    static volatile long result;

    /** Computes, and calls itself. */
    static class Pricing implements Runnable {
        public void run() {
            while (!isOver) result += fibonacci(24) + sumOfPrimes(20_000);
        }

        long fibonacci(int n) {
            return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
        }

        long sumOfPrimes(int limit) {
            long sum = 0;
            for (int n = 2; n < limit; n++) if (isPrime(n)) sum += n;
            return sum;
        }

        boolean isPrime(int n) {
            for (int divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor == 0) return false;
            return true;
        }
    }

    /** Allocates arrays of bytes and strings. */
    static class Importer implements Runnable {
        public void run() {
            while (!isOver) {
                List<byte[]> rows = new ArrayList<>();
                for (int row = 0; row < 200; row++) rows.add(readRow(row));
                result += countWords(rows);
            }
        }

        byte[] readRow(int row) {
            return new byte[1000 + row];
        }

        int countWords(List<byte[]> rows) {
            Map<String, Integer> counts = new HashMap<>();
            for (byte[] row : rows) counts.merge("row of " + row.length, 1, Integer::sum);
            return counts.size();
        }
    }

    /** Two of them want the same lock, and one sleeps while it has it. */
    static class Warehouse implements Runnable {
        public void run() {
            while (!isOver) takeFromStock();
        }

        void takeFromStock() {
            synchronized (stock) {
                sleep(15);
            }
            sleep(1);
        }
    }

    static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void write(java.io.File file) throws java.io.IOException {
        try (java.io.FileOutputStream out = new java.io.FileOutputStream(file)) {
            for (int row = 0; row < 10; row++) out.write(new byte[100 * row]);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Thread[] threads = {
            new Thread(new Pricing(), "pricing"),
            new Thread(new Importer(), "importer"),
            new Thread(new Warehouse(), "warehouse-1"),
            new Thread(new Warehouse(), "warehouse-2"),
        };
        for (Thread thread : threads) thread.start();
        write(new java.io.File(arguments[0]));
        sleep(1500);
        isOver = true;
        for (Thread thread : threads) thread.join();
    }
}
