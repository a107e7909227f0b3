// What measuring adds to one call, in a tight loop: calls of each kind, plain and measured in turns. Its last line says nanoseconds of processor time.
import { startProfiler } from '@flamegate/profiler'

const rounds = Number(process.argv[2] ?? 9)
const callsPerRound = 200_000
const profiler = startProfiler()
const measure = profiler.measure

const add = (left: number, right: number): number => left + right
const addLater = async (left: number, right: number): Promise<number> => left + right
function* three(left: number): Generator<number> {
  yield left
  yield left
  yield left
}
const kinds = {
  'a sync call': [add, measure('add', add)],
  'an async call': [addLater, measure('addLater', addLater)],
  'a generator of three items': [three, measure('three', three)],
} as const

let sum = 0
async function nsPerCall(name: keyof typeof kinds, which: 0 | 1): Promise<number> {
  const from = process.cpuUsage()
  if (name === 'a sync call') {
    const fn = kinds[name][which]
    for (let index = 0; index < callsPerRound; index++) sum ^= fn(index, 1)
  } else if (name === 'an async call') {
    const fn = kinds[name][which]
    for (let index = 0; index < callsPerRound; index++) sum ^= await fn(index, 1)
  } else {
    const fn = kinds[name][which]
    for (let index = 0; index < callsPerRound; index++) for (const item of fn(index)) sum ^= item
  }
  // Processor time: what else the machine does is in the time of the wall.
  const { user, system } = process.cpuUsage(from)
  return ((user + system) * 1000) / callsPerRound
}

const figures: Record<string, { plain: number[]; measured: number[] }> = {}
for (const name of ['a sync call', 'an async call', 'a generator of three items'] as const) {
  const found = { plain: [] as number[], measured: [] as number[] }
  for (let round = 0; round < rounds + 2; round++) {
    const plain = await nsPerCall(name, 0)
    const measured = await nsPerCall(name, 1)
    // The first two compile.
    if (round < 2) continue
    found.plain.push(plain)
    found.measured.push(measured)
  }
  figures[name] = found
}
await profiler.stop()
console.log(JSON.stringify({ figures, sum }))
