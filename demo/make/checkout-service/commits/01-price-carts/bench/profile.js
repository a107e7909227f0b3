// node --cpu-prof bench/profile.js 'apply discounts' 1500: runs one workload for so many milliseconds.
import { workloads } from './workloads.js'

const [name, durationMs] = process.argv.slice(2)
const work = workloads[name]
if (!work) throw new Error(`There is no workload ${name}`)

// The last results stay alive, as a cache would keep them, so that a heap profile has something to show.
const kept = []
const end = performance.now() + Number(durationMs)
for (let at = 0; performance.now() < end; at += 1) kept[at % 200] = work()
