// What @flamegate/profiler costs the program that it measures.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '3' },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const functions = 4

interface Figures {
  isOn: boolean
  cpuMs: number
  wallMs: number
  calls: number
  pushesSent: number
  givenUp?: string
  sum: number
}

interface Row {
  bench: 'profiler'
  metric: string
  peer: 'without the profiler'
  ours: number
  theirs: number
  ratio: number
  /** The most that we want: of the ratio, or, where there is a unit, of what is added. */
  goal: number | null
  met: boolean | null
  equal: boolean
}

const platform = spawn(process.execPath, [subject('platform.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
const url: string = (await once(platform.stdout, 'data')).toString().trim()
const on = {
  FLAMEGATE_LIVE_URL: url,
  FLAMEGATE_LIVE_APP: 'app_bench',
  FLAMEGATE_LIVE_TOKEN: 'bench',
}
const off = { FLAMEGATE_LIVE_URL: '' }
const loadBefore = loadavg()[0]!
const rows: Row[] = []

for (const { kilobytes, goal } of [
  { kilobytes: 50, goal: 1.02 },
  { kilobytes: 5, goal: null },
]) {
  const plain: Figures[] = []
  const measured: Figures[] = []
  // In turns, and each second pair the other way round, since what else the machine does changes from one to the next.
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0
    if (first) plain.push(run('program.ts', [kilobytes, seconds], off))
    measured.push(run('program.ts', [kilobytes, seconds], on))
    if (!first) plain.push(run('program.ts', [kilobytes, seconds], off))
  }
  const equal = measured.every(
    ({ sum, isOn, pushesSent, givenUp }, round) =>
      isOn && givenUp === undefined && pushesSent >= seconds && sum === plain[round]!.sum,
  )
  const what = `functions of ${median(plain.map(({ cpuMs, calls }) => (cpuMs / calls) * 1000)).toPrecision(2)} µs`
  const share = ({ cpuMs }: Figures): number => (100 * cpuMs) / (seconds * 1000)
  const ratio = median(measured.map((each, round) => each.cpuMs / plain[round]!.cpuMs))
  const added = median(measured.map((each, round) => share(each) - share(plain[round]!))) / functions
  rows.push(
    row(`${what}, % of a processor`, median(measured.map(share)), median(plain.map(share)), {
      ratio,
      goal,
      equal,
    }),
    row(`${what}, % of a processor added for each function`, added, 0, { ratio: added, goal: 2, equal }),
  )
}

const { figures }: { figures: Record<string, { plain: number[]; measured: number[] }> } = run(
  'calls.ts',
  [9],
  on,
)
for (const [kind, { plain, measured }] of Object.entries(figures))
  rows.push(
    row(`${kind}, ns of a processor`, median(measured), median(plain), {
      ratio: median(measured) / median(plain),
      goal: null,
      equal: true,
    }),
  )
platform.kill()

if (values.json) for (const each of rows) console.log(JSON.stringify(each))
else {
  print(rows)
  console.log(`\nLoad of the machine before ${loadBefore.toFixed(1)}, after ${loadavg()[0]!.toFixed(1)}.`)
}

function subject(name: string): string {
  return path.join(import.meta.dirname, 'subjects', name)
}

/** In a process of its own, which tells its figures as the last line. */
function run(name: string, args: readonly number[], environment: Record<string, string>) {
  const output = execFileSync(process.execPath, [subject(name), ...args.map(String)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '')
}

function row(
  metric: string,
  ours: number,
  theirs: number,
  { ratio, goal, equal }: Pick<Row, 'ratio' | 'goal' | 'equal'>,
): Row {
  return {
    bench: 'profiler',
    metric,
    peer: 'without the profiler',
    ours,
    theirs,
    ratio,
    goal,
    met: goal === null ? null : ratio <= goal,
    equal,
  }
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
