// What profiles cost to read, beside google/pprof, go tool pprof, speedscope, pprof-format, callgrind_annotate and jfr.
import { totalmem } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { answerOfAnnotate, answerOfGoTool, answerOfJfrPrint } from './answers.ts'
import {
  callgrindFile,
  flightRecording,
  googlePprof,
  goToolPprof,
  isInstalled,
  pprofFile,
  recordedEvents,
} from './files.ts'
import { limitRow, p95, print, rowsOf, type Row } from './report.ts'
import { lastLine, runSubject, runTool } from './run-subject.ts'
import type { Answer, Figures } from './subjects/figures.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    // go tool pprof takes minutes for the large file.
    slow: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)

interface Peer {
  name: string
  goals: { time?: number; memory?: number }
  run: () => Promise<Figures>
}

const subject = (name: string) => path.join(import.meta.dirname, 'subjects', name)
const ours = (...args: string[]) => runSubject(process.execPath, [subject('ours.ts'), ...args])

const rows: Row[] = []
for (const [name, measure] of Object.entries({ large, small, callgrind, recording, difference, queries })) {
  if (values.only === undefined || values.only === name) rows.push(...(await measure()))
}
if (values.json) for (const row of rows) console.log(JSON.stringify(row))
else print(rows)

function large(): Promise<Row[]> {
  const file = pprofFile(1_000_000, 1)
  return compare('pprof of 1,000,000 samples', () => ours('top', file), [
    ...googlePprofPeer(file, { time: 0.2, memory: 0.12 }),
    pprofFormatPeer(file),
    ...speedscopePeer(file, { time: 0.02 }),
    ...(values.slow ? goToolPeer(file) : []),
  ])
}

function small(): Promise<Row[]> {
  const file = pprofFile(100_000, 1)
  return compare('pprof of 100,000 samples', () => ours('top', file), [
    ...googlePprofPeer(file, {}),
    pprofFormatPeer(file),
    ...goToolPeer(file),
    ...speedscopePeer(file, {}),
  ])
}

function callgrind(): Promise<Row[]> {
  if (!areInstalled('valgrind', 'callgrind_annotate', 'gcc')) return Promise.resolve([])
  const file = callgrindFile()
  const options = ['--threshold=100', '--auto=no', '--show-percs=no', '--show=Ir', '--sort=Ir']
  return compareColdAndWarm('callgrind', ['top', file, 'Ir'], {
    name: 'callgrind_annotate',
    goals: { time: 0.03 },
    run: () => runTool('callgrind_annotate', [...options, file], { answerOf: answerOfAnnotate }),
  })
}

async function recording(): Promise<Row[]> {
  if (!areInstalled('java', 'jfr')) return []
  const file = flightRecording()
  const jfrPrint = (options: readonly string[], answerOf: (output: string) => Answer) =>
    runTool('jfr', ['print', ...options, file], { answerOf })
  const samples = ['--json', '--stack-depth', '1', '--events', 'jdk.ExecutionSample']
  const { answer } = await jfrPrint(samples, answerOfJfrPrint)
  return compareColdAndWarm('Java Flight Recorder', ['top', file, 'samples'], {
    name: 'jfr print of the same events',
    goals: { time: 0.1 },
    run: () => jfrPrint(['--events', recordedEvents.join(',')], () => answer),
  })
}

/** Two files, read and compared, against one that is read. */
async function difference(): Promise<Row[]> {
  const [base, head] = [pprofFile(1_000_000, 1), pprofFile(1_000_000, 2)]
  const { answer } = await ours('top', head)
  const turns = await inTurns([() => ours('difference', base, head), () => ours('top', base)])
  const [both = [], one = []] = turns
  // What the peer would say is the difference of the totals of two that are read alone.
  const alone = one.map((figures) => ({
    ...figures,
    answer: { total: answer.total - figures.answer.total, top: [] },
  }))
  return rowsOf('difference of two such pprofs', 'reading one', both, alone, { time: 2.3 })
}

/** Milliseconds of questions to a stored tree that was decoded. */
async function queries(): Promise<Row[]> {
  const found: Row[] = []
  for (const [nodes, goal] of [
    [100_000, 30],
    [2_000_000, 200],
  ] as const) {
    const output = await lastLine(process.execPath, [subject('queries.ts'), String(nodes)])
    const { times, answered }: { times: Record<string, number[]>; answered: Record<string, boolean> } =
      JSON.parse(output)
    for (const [question, ms] of Object.entries(times)) {
      const metric = `${question} of ${nodes.toLocaleString('en')} nodes, p95 ms`
      found.push(limitRow(metric, p95(ms), goal, answered[question] === true))
    }
  }
  return found
}

function googlePprofPeer(file: string, goals: Peer['goals']): Peer[] {
  const program = googlePprof()
  if (program === undefined) {
    console.error('LEFT OUT: google/pprof (no Go, or no golang-github-google-pprof-dev)')
    return []
  }
  return [{ name: 'google/pprof, Go', goals, run: () => runSubject(program, [file], { GOMAXPROCS: '1' }) }]
}

function pprofFormatPeer(file: string): Peer {
  return {
    name: 'pprof-format',
    goals: {},
    run: () => runSubject(process.execPath, [subject('pprof-format.ts'), file]),
  }
}

/** Of a million samples it needs 12 GB of memory and a minute or two. */
function speedscopePeer(file: string, goals: Peer['goals']): Peer[] {
  if (totalmem() < 18 * 2 ** 30) {
    console.error('LEFT OUT: speedscope (it needs 14 GB of heap)')
    return []
  }
  const args = ['--max-old-space-size=14000', subject('speedscope.ts'), file]
  return [{ name: 'speedscope', goals, run: () => runSubject(process.execPath, args) }]
}

function goToolPeer(file: string): Peer[] {
  if (!areInstalled('go')) return []
  const args = ['-top', '-nodecount=10', '-unit=ns', '-symbolize=none', file]
  const env = { GOMAXPROCS: '1' }
  return [
    {
      name: 'go tool pprof -top',
      goals: {},
      run: () => runTool(goToolPprof(), args, { env, answerOf: answerOfGoTool }),
    },
  ]
}

function areInstalled(...commands: string[]): boolean {
  const missing = commands.filter((command) => !isInstalled(command))
  if (missing.length > 0) console.error(`LEFT OUT: what needs ${missing.join(', ')} (not installed)`)
  return missing.length === 0
}

/**
 * Ours in a process that has read nothing yet, and in one that has read twenty files, as those of the platform have that run
 * for days. What the twenty left behind is in the memory of the latter.
 */
async function compareColdAndWarm(what: string, question: readonly string[], peer: Peer): Promise<Row[]> {
  const own = [() => ours(...question), () => ours('--times-before', '20', ...question)]
  const [cold = [], warm = [], theirs = []] = await inTurns([...own, peer.run])
  const ofWarm = rowsOf(`${what}, the 21st of a process`, peer.name, warm, theirs, peer.goals)
  return [
    ...rowsOf(what, peer.name, cold, theirs, peer.goals),
    ...ofWarm.filter(({ metric }) => !metric.endsWith('MB')),
  ]
}

async function compare(what: string, own: () => Promise<Figures>, peers: readonly Peer[]): Promise<Row[]> {
  const [mine = [], ...theirs] = await inTurns([own, ...peers.map(({ run }) => run)])
  return peers.flatMap(({ name, goals }, index) => rowsOf(what, name, mine, theirs[index]!, goals))
}

/** One after the other, round by round. */
async function inTurns(subjects: readonly (() => Promise<Figures>)[]): Promise<Figures[][]> {
  const figures = subjects.map((): Figures[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, run] of subjects.entries()) figures[index]!.push(await run())
  }
  return figures
}
