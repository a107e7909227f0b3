// A program that ends by itself with something measured: for the tests of how pushing begins and ends.
import { startProfiler } from '../src/index.ts'

const calls = Number(process.argv[2])
const profiler = startProfiler({
  name: 'short-program',
  version: '1.2.3',
  intervalMs: 60_000,
  exitMs: Number(process.argv[3] ?? 2000),
  onError: (error) => console.log(error.message),
})
const work = profiler.measure('work', (value: number) => value + 1)
let sum = 0
for (let index = 0; index < calls; index++) sum += work(index)
console.log(sum)
