import { printedNumber } from './printed-number.ts'

/** A line `name x 1,234 ops/sec ±1.23% (89 runs sampled)` and what follows it. */
export interface RateLine {
  name: string
  perSecond: number
  marginPercent: number
  runs: number
  rest: string
}

/** As Benchmark.js prints a finished benchmark, and others after it; undefined for other lines. */
export function readRateLine(line: string, lineNumber: number): RateLine | undefined {
  // Names may hold " x " themselves: the last one counts.
  const match = /^(.+) x ([\d.,]+) ops?\/s(?:ec)? (?:±|\+-)([\d.,]+)% \((\d+) runs? sampled\)(.*)$/.exec(
    line.trim(),
  )
  if (!match) return undefined
  const [, name = '', perSecond = '', margin = '', runs = '', rest = ''] = match
  return {
    name,
    perSecond: printedNumber(perSecond, lineNumber),
    marginPercent: printedNumber(margin, lineNumber),
    runs: printedNumber(runs, lineNumber),
    rest: rest.trim(),
  }
}
