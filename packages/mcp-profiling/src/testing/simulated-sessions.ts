import type { McpReport } from '../report.ts'
import { seededRandom } from '../seeded-random.ts'
import { histogramOfMs, madeOperation, madeReport } from './made-report.ts'

/** What makes two measurements of one build differ, on the scale of logarithms. */
export interface SessionNoise {
  /** Standard deviation of one call. */
  call: number
  /** Of a block, with what it keeps of the block before, 0 to 1. */
  block: number
  kept: number
  /** Of a step from block to block of a clock that drifts. */
  drift: number
  /** Share of blocks that something else slows by 15 to 60 %. */
  disturbed: number
  /** Share of calls that take twice as long, as with a cache that misses. */
  secondMode: number
  /** Of a whole session: where memory lies, what else runs. */
  session: number
}

interface Measured {
  blocks: number
  callsPerBlock: number
  /** How much slower head is. */
  factor: number
  seed: number
  isInterleaved: boolean
}

interface Side {
  level: number
  calls: number[]
  means: number[]
}

/** Two reports of the same server, with a head that is slower by a factor; measured in turns, or one after the other. */
export function simulatedSessions(
  noise: SessionNoise,
  { blocks, callsPerBlock, factor, seed, isInterleaved }: Measured,
): { base: McpReport; head: McpReport } {
  const random = seededRandom(seed)
  const machine = levels(noise, random)
  const sideOf = (slower: number): Side => {
    const session = isInterleaved ? 0 : noise.session * normalNumber(random)
    return { level: Math.log(10 * slower) + session, calls: [], means: [] }
  }
  const [one, other] = [sideOf(1), sideOf(factor)]
  const measure = ({ level, calls, means }: Side): void => {
    const now = level + machine()
    const own = Array.from({ length: callsPerBlock }, () => {
      const mode = random() < noise.secondMode ? Math.LN2 : 0
      return Math.exp(now + mode + noise.call * normalNumber(random))
    })
    calls.push(...own)
    means.push(own.reduce((sum, value) => sum + value, 0) / callsPerBlock)
  }
  const order = isInterleaved
    ? Array.from({ length: blocks }, (_, at) => (at % 2 === 0 ? [one, other] : [other, one])).flat()
    : [...Array.from({ length: blocks }, () => one), ...Array.from({ length: blocks }, () => other)]
  for (const side of order) measure(side)
  return { base: reportOf(one), head: reportOf(other) }
}

function reportOf({ calls, means }: Side): McpReport {
  const rate = (4 * 1000 * calls.length) / calls.reduce((sum, value) => sum + value, 0)
  const load = madeReport().load
  return madeReport({
    operations: [madeOperation({ latency: histogramOfMs(calls), blockMeansMs: means })],
    load: load && {
      ...load,
      requestsPerSecond: rate,
      perSecond: means.map((mean) => Math.round(4000 / mean)),
    },
  })
}

/** The state of the machine from block to block. */
function levels({ block, kept, drift, disturbed }: SessionNoise, random: () => number): () => number {
  let [clock, neighbour] = [0, 0]
  return () => {
    clock += drift * normalNumber(random)
    neighbour = kept * neighbour + Math.sqrt(1 - kept ** 2) * block * normalNumber(random)
    return clock + neighbour + (random() < disturbed ? Math.log(1.15 + 0.45 * random()) : 0)
  }
}

/** From the standard normal distribution (Box & Muller 1958). */
function normalNumber(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
