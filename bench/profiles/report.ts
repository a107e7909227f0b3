import { areEqual } from './answers.ts'
import type { Figures } from './subjects/figures.ts'

/** One comparison. `goal` is the most that we want: of the ratio with a peer, else of our value. */
export interface Row {
  bench: 'profiles'
  metric: string
  peer: string
  ours: number
  theirs: number | null
  ratio: number | null
  goal: number | null
  met: boolean | null
  equal: boolean
}

/** Ours and a peer's over the rounds: a ratio for each of wall time, CPU time and memory. */
export function rowsOf(
  what: string,
  peer: string,
  ours: readonly Figures[],
  theirs: readonly Figures[],
  goals: { time?: number; memory?: number },
): Row[] {
  const equal = theirs.every(({ answer }, round) => areEqual(ours[round]!.answer, answer))
  const row = (unit: string, valueOf: (figures: Figures) => number, goal: number | null = null): Row => {
    // Round by round, since what else the machine does changes from one to the next.
    const ratio = median(theirs.map((each, round) => valueOf(ours[round]!) / valueOf(each)))
    return {
      bench: 'profiles',
      metric: `${what}, ${unit}`,
      peer,
      ours: median(ours.map(valueOf)),
      theirs: median(theirs.map(valueOf)),
      ratio,
      goal,
      met: goal === null ? null : ratio <= goal,
      equal,
    }
  }
  return [
    row('wall ms', ({ wallMs }) => wallMs, goals.time),
    row('CPU ms', ({ cpuMs }) => cpuMs, goals.time),
    row('peak MB', ({ peakMb }) => peakMb, goals.memory),
  ]
}

export function limitRow(metric: string, ours: number, goal: number, equal: boolean): Row {
  return {
    bench: 'profiles',
    metric,
    peer: '',
    ours,
    theirs: null,
    ratio: null,
    goal,
    met: ours <= goal,
    equal,
  }
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
}

/** The value below which 95 % are. */
export function p95(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * 0.95) - 1] ?? NaN
}

export function print(rows: readonly Row[]): void {
  console.log('| metric | peer | ours | theirs | ratio | goal | met | equal |')
  console.log('| --- | --- | --: | --: | --: | --: | --- | --- |')
  for (const { metric, peer, ours, theirs, ratio, goal, met, equal } of rows) {
    const numbers = [rounded(ours), rounded(theirs), ratio?.toPrecision(2) ?? '', goal ?? '']
    const words = [met, equal].map((is) => (is === null ? '' : is ? 'yes' : 'no'))
    console.log(`| ${[metric, peer, ...numbers, ...words].join(' | ')} |`)
  }
}

function rounded(value: number | null): string {
  if (value === null) return ''
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(2)
}
