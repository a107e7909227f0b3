import { test } from 'vitest'
import { workloads } from './workloads.js'

test('checkout', { timeout: 60_000 }, async ({ bench }) => {
  for (const [name, work] of Object.entries(workloads)) {
    // One after the other, because they would disturb each other.
    await bench(name, () => void work()).run({ time: 1, iterations: 400, warmupTime: 700 })
  }
})
