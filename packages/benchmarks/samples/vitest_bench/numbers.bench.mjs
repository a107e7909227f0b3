// Vitest 5 and later: `bench` is a fixture of a test.
import { describe, test } from 'vitest'

const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2))
const short = { time: 1, warmupTime: 1, iterations: 30 }

describe('fibonacci', () => {
  test('small', async ({ bench }) => {
    await bench('fib(12)', () => void fib(12)).run(short)
  })
  describe('nested', () => {
    test('pair', async ({ bench }) => {
      await bench.compare(
        bench('fib(14)', () => void fib(14)),
        bench('fib(16)', () => void fib(16)),
        short,
      )
    })
  })
})

test('sort', async ({ bench }) => {
  const numbers = Array.from({ length: 200 }, (_, index) => (index * 7919) % 200)
  await bench('toSorted', () => void numbers.toSorted((a, b) => a - b)).run(short)
})

test('not a benchmark', () => {})
