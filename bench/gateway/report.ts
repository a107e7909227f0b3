import { isPinned } from './child.ts'

/** What was seen of one server under one kind of call. */
export interface Figures {
  requests: number
  perCpuSecond: number
  /** As it happened here, with the load generator on the next core. */
  perSecond: number
  p50Ms: number
  p99Ms: number
  rssMb: number
  /** Every answer was 200, and every one that was looked at answered its request. */
  isClean: boolean
}

/** One comparison. `goal` is the least ratio that we want, or the most for latencies; null when we only look. */
export interface Ratio {
  bench: string
  metric: string
  peer: string
  ours: number
  theirs: number
  ratio: number
  goal: number | null
  met: boolean | null
  /** Both answered the same, and without an error. */
  equal: boolean
}

export interface Comparison {
  /** Medians of the rounds. */
  rows: (Figures & { name: string; call: string })[]
  ratios: Ratio[]
  /** What more our gateway holds after so many more calls. */
  growth: { calls: number; heapMb: number; rssMb: number }
}

const growthMaxMb = 5

/** One object per line and ratio. */
export function printJson({ ratios, growth }: Comparison): void {
  for (const ratio of ratios) console.log(JSON.stringify(rounded(ratio)))
  const memory = {
    bench: 'gateway',
    metric: `heap growth over ${growth.calls} calls, MB`,
    peer: 'none',
    ours: growth.heapMb,
    theirs: 0,
    ratio: null,
    goal: growthMaxMb,
    met: growth.heapMb <= growthMaxMb,
    equal: true,
  }
  console.log(JSON.stringify(rounded(memory)))
}

export function printTable(
  { rows, ratios, growth }: Comparison,
  run: { rounds: number; secondsEach: number; connections: number },
): void {
  console.log(
    `Medians of ${run.rounds} interleaved rounds of ${run.secondsEach} s, ${run.connections} connections, ` +
      `${isPinned ? 'server on core 0, load and API on core 1' : 'not pinned to cores'}, Node ${process.version}\n`,
  )
  console.log('| server | call | per CPU-second | per second | p50 ms | p99 ms | RSS MB | clean |')
  console.log('| --- | --- | --: | --: | --: | --: | --: | --- |')
  for (const row of rows) {
    const numbers = [row.perCpuSecond, row.perSecond, row.p50Ms, row.p99Ms, row.rssMb].map(shortened)
    console.log(`| ${row.name} | ${row.call} | ${numbers.join(' | ')} | ${yesOrNo(row.isClean)} |`)
  }
  console.log('\n| metric | peer | ours | theirs | ratio | goal | met | equal answers |')
  console.log('| --- | --- | --: | --: | --: | --: | --- | --- |')
  for (const { metric, peer, ours, theirs, ratio, goal, met, equal } of ratios) {
    const words = [
      metric,
      peer,
      shortened(ours),
      shortened(theirs),
      shortened(ratio),
      goal ?? '',
      yesOrNo(met),
      yesOrNo(equal),
    ]
    console.log(`| ${words.join(' | ')} |`)
  }
  console.log(
    `\nAfter ${growth.calls} more calls, garbage collected: heap ${signed(growth.heapMb)} MB, RSS ${signed(growth.rssMb)} MB`,
  )
}

function rounded(values: object): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(5)) : value,
    ]),
  )
}

function shortened(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`
}

function yesOrNo(value: boolean | null): string {
  return value === null ? '' : value ? 'yes' : 'no'
}
