import { test } from 'vitest'
import { workloads } from './workloads.js'

for (const [name, work] of Object.entries(workloads)) {
  test(name, async ({ bench }) => {
    await bench('batch', () => void work()).run({ time: 1, iterations: 200, warmupTime: 500 })
  })
}
