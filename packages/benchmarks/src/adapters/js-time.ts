import { adapter } from '../adapter.ts'
import type { BenchmarkResult } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { numberedLines } from '../numbered-lines.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import { textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { resultFromRounds } from '../result-from-rounds.ts'
import { nsPerPrintedUnit } from '../time-unit.ts'
import type { WarningList } from '../warning-list.ts'

export const jsTime = adapter({
  name: 'js_time',
  title: 'console.time',
  readers: [textReader(isJsTime, readJsTime)],
})

/** `name: 12.3ms`, `name: 1.234s`, `name: 1:02.345 (m:ss.mmm)`; Deno and browsers add " - timer ended". */
const TIMER_LINE =
  /^(.+): (?:([\d.]+) ?(ms|s)|(?:(\d+):)?(\d+):(\d+(?:\.\d+)?) \((?:h:m)?m:ss\.mmm\))(?: - timer ended)?$/

/** Any log may have such a line; of a file of timers most are. */
function isJsTime(text: string): boolean {
  if (!/: [\d.:]+ ?(?:ms|s|\()/.test(text)) return false
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return lines.filter((line) => TIMER_LINE.test(line.trim())).length * 2 > lines.length
}

/**
 * Reads the output of `console.timeEnd`. Timers of one name are rounds.
 * @see https://nodejs.org/api/console.html#consoletimeendlabel
 */
function readJsTime(text: string, warnings: WarningList): Reading {
  const times: { name: string; time: number }[] = []
  for (const { line, lineNumber } of numberedLines(text)) {
    if (line.trim() === '') continue
    const match = TIMER_LINE.exec(line.trim())
    if (match) times.push({ name: match[1] ?? '', time: nanoseconds(match, lineNumber) })
    else warnings.add(lineNumber, `no timer, ignored: ${quote(line)}.`)
  }
  if (times.length === 0) throw new FormatError('There is no line such as "name: 12.3ms" in the file', 1)
  const groups = Map.groupBy(times, ({ name }) => name)
  return {
    environment: {},
    results: [...groups].map(([name, rounds]): BenchmarkResult =>
      resultFromRounds({
        uri: name,
        name,
        roundValues: rounds.map(({ time }) => time),
        stats: { iterationsPerRound: 1 },
        metrics: [],
      }),
    ),
  }
}

function nanoseconds(
  [, , amount, unit, hours, minutes, seconds]: RegExpExecArray,
  lineNumber: number,
): number {
  const of = (text: string | undefined, printedUnit: string) =>
    text === undefined ? 0 : printedNumber(text, lineNumber) * (nsPerPrintedUnit(printedUnit) ?? 0)
  return of(amount, unit ?? 's') + of(hours, 'h') + of(minutes, 'm') + of(seconds, 's')
}
