// A program that calls four functions 10,000 times a second each: with a profiler that pushes, or without. Its last line says what
// processor time that took.
import { startProfiler } from '@flamegate/profiler'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'

const [kilobytes = 100, seconds = 3] = process.argv.slice(2).map(Number)
const callsPerMs = 10
const warmUpSeconds = 2

// Native, because what V8 makes of JavaScript depends on what is around it: a loop took half as long when it was measured.
const bytes = Buffer.alloc(kilobytes * 1024, 'work')
const work = (seed: number): number => crc32(bytes, seed)

// Without FLAMEGATE_LIVE_URL it gives back the same functions.
const profiler = startProfiler({ name: 'bench' })
const price = profiler.measure('price', (seed: number) => work(seed))
const tax = profiler.measure('tax', (seed: number) => work(seed + 1))
const shipping = profiler.measure('shipping', (seed: number) => work(seed + 2))
const stock = profiler.measure('stock', async (seed: number) => work(seed + 3))

let sum = 0
async function second(): Promise<void> {
  const from = performance.now()
  for (let ms = 0; ms < 1000; ms++) {
    for (let call = 0; call < callsPerMs; call++) {
      sum = (sum + price(call) + tax(call) + shipping(call) + (await stock(call))) | 0
    }
    const early = from + ms + 1 - performance.now()
    if (early > 1) await sleep(early)
  }
}

for (let index = 0; index < warmUpSeconds; index++) await second()
const before = process.cpuUsage()
const wallFrom = performance.now()
for (let index = 0; index < seconds; index++) await second()
const { user, system } = process.cpuUsage(before)
const wallMs = performance.now() - wallFrom
await profiler.stop()
const { pushesSent = 0, givenUp } = profiler.state() ?? {}
console.log(
  JSON.stringify({
    isOn: profiler.isOn,
    cpuMs: (user + system) / 1000,
    wallMs,
    calls: seconds * 1000 * callsPerMs * 4,
    pushesSent,
    givenUp,
    sum,
  }),
)
