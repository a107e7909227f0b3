// Vitest 1 to 4: `bench` is a function of the module.
import { bench, describe } from 'vitest'

const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2))
const short = { time: 5, warmupTime: 5, iterations: 20 }

describe('fibonacci', () => {
  bench('fib(16)', () => void fib(16), short)
  describe('nested', () => {
    bench('fib(18)', () => void fib(18), short)
  })
})

bench('top level', () => void fib(17), short)
