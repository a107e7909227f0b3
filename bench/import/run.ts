// What an import of a 100 MB HAR takes of time and memory, beside JSON.parse of the same file.
import { execFileSync } from 'node:child_process'
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Figures } from './subjects/figures.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    megabytes: { type: 'string', default: '100' },
  },
})

interface Row {
  bench: 'import'
  metric: string
  peer: string
  ours: number
  theirs: number | null
  ratio: number | null
  /** The most that we want of the ratio for memory, the least for speed. */
  goal: number | null
  met: boolean | null
  equal: boolean
}

const har = madeHar(values.megabytes)
const megabytes = statSync(har).size / 1e6
const recording = path.join(tmpdir(), `flamegate-bench-${process.pid}.recording.gz`)
const reading: Figures[] = []
const storing: Figures[] = []
const parsing: Figures[] = []
// In turns, since what else the machine does changes from one to the next.
for (let round = 0; round < Number(values.rounds); round++) {
  reading.push(run('ours.ts', har))
  storing.push(run('ours.ts', har, recording))
  parsing.push(run('json-parse.ts', har))
}
rmSync(recording)

const rows = [
  ...rowsOf('a HAR imported', reading, { speed: 0.5, memory: 0.7 }),
  ...rowsOf('the same, and its recording written', storing, { speed: null, memory: 0.7 }),
]
if (values.json) for (const row of rows) console.log(JSON.stringify(row))
else print(rows)

/** Made once; it stays in the temporary folder for the next time. */
function madeHar(size: string): string {
  const file = path.join(tmpdir(), `flamegate-bench-${size}-1.har`)
  if (existsSync(file)) return file
  const unfinished = `${file}.${process.pid}`
  execFileSync(process.execPath, [path.join(import.meta.dirname, 'make-har.ts'), unfinished, size, '1'])
  renameSync(unfinished, file)
  return file
}

/** In a process of its own, which tells its figures as the last line. */
function run(subject: string, ...args: readonly string[]): Figures {
  const output = execFileSync(
    process.execPath,
    [path.join(import.meta.dirname, 'subjects', subject), ...args],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  )
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '')
}

function rowsOf(
  what: string,
  ours: readonly Figures[],
  goals: { speed: number | null; memory: number },
): Row[] {
  const equal = ours.every(({ answer }, round) => {
    const other = parsing[round]!.answer
    return answer.entries === other.entries && answer.bodyCharacters === other.bodyCharacters
  })
  const row = (
    unit: string,
    valueOf: (figures: Figures) => number,
    goal: number | null,
    isMet: (ratio: number, goal: number) => boolean,
  ): Row => {
    const ratio = median(ours.map((each, round) => valueOf(each) / valueOf(parsing[round]!)))
    return {
      bench: 'import',
      metric: `${what}, ${unit}`,
      peer: 'JSON.parse',
      ours: median(ours.map(valueOf)),
      theirs: median(parsing.map(valueOf)),
      ratio,
      goal,
      met: goal === null ? null : isMet(ratio, goal),
      equal,
    }
  }
  return [
    row(
      'MB/s',
      ({ wallMs }) => (megabytes / wallMs) * 1000,
      goals.speed,
      (ratio, goal) => ratio >= goal,
    ),
    row(
      'peak MB',
      ({ peakMb }) => peakMb,
      goals.memory,
      (ratio, goal) => ratio <= goal,
    ),
  ]
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
}

function print(found: readonly Row[]): void {
  console.log('| metric | peer | ours | theirs | ratio | goal | met | equal |')
  console.log('| --- | --- | --: | --: | --: | --: | --- | --- |')
  for (const { metric, peer, ours, theirs, ratio, goal, met, equal } of found) {
    const numbers = [ours, theirs, ratio, goal].map((value) => value?.toPrecision(3) ?? '')
    const words = [met, equal].map((is) => (is === null ? '' : is ? 'yes' : 'no'))
    console.log(`| ${[metric, peer, ...numbers, ...words].join(' | ')} |`)
  }
}
