// Our load engine beside wrk and others, against one target on the same cores: requests per second of the client's CPU time.
import { execFileSync, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { figuresOf, findPeers } from './peers.ts'
import type { Figures } from './subjects/figures.ts'
import { onCore, startTarget } from './target.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    /** Requests before ours and undici are measured: compiling our code takes as long as 100,000 requests. */
    'warm-up': { type: 'string', default: '150000' },
    only: { type: 'string', default: 'closed,tls,memory,open,stall' },
    artillery: { type: 'boolean', default: true },
  },
  allowNegative: true,
})

interface Row {
  bench: 'engine'
  metric: string
  peer: string
  ours: number
  theirs: number | null
  ratio: number | null
  /** Of the best round of each: what else the machine does only ever takes away. */
  best: number | null
  /** The least that we want of the ratio, or the most of what is told without a peer. */
  goal: number | null
  met: boolean | null
  /** Every answer that one side counted, the target counted, too, and none failed. */
  equal: boolean
}

const connections = 50
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const parts = new Set(values.only.split(','))
const target = await startTarget()
const rows: Row[] = []
console.error(`Target: ${target.name}.`)
try {
  if (parts.has('closed')) await closed()
  if (parts.has('tls')) await tls()
  if (parts.has('memory')) memory()
  if (parts.has('open')) open()
  if (parts.has('stall')) await stall()
} finally {
  target.stop()
}
if (values.json) for (const row of rows) console.log(JSON.stringify(row))
else print()

interface Measured {
  rates: number[]
  isEqual: boolean
}

function ours(kind: string, url: string, users: number, options: readonly string[] = []): Figures {
  return figuresOf([
    process.execPath,
    ...options,
    path.join(import.meta.dirname, 'subjects/ours.ts'),
    kind,
    url,
    String(users),
    kind === 'idle' ? String(users) : values['warm-up'],
    String(seconds),
  ])
}

/** `slack`: those that a client leaves under way at its end are counted by the target alone. */
async function measure(into: Measured, run: () => Figures, slack: number): Promise<void> {
  const before = await target.answered()
  const { requests, cpuSeconds, answered, failed } = run()
  const seen = (await target.answered()) - before
  into.rates.push(requests / cpuSeconds)
  if (failed > 0 || seen < answered || seen > answered + slack) {
    into.isEqual = false
    console.error(`The target counted ${seen} answers, the client ${answered}, of which ${failed} failed.`)
  }
}

async function closed(): Promise<void> {
  const peers = findPeers(values.artillery)
  const plain: Measured = { rates: [], isEqual: true }
  const vu: Measured = { rates: [], isEqual: true }
  const theirs = new Map(
    peers.map((peer) => [peer, { rates: [], isEqual: true } satisfies Measured as Measured]),
  )
  // In turns, since what else the machine does changes from one to the next.
  for (let round = 0; round < rounds; round++) {
    await measure(plain, () => ours('plain', `${target.http}/`, connections), 0)
    for (const [peer, measured] of theirs)
      await measure(measured, () => peer.run(`${target.http}/`, connections, seconds), 4 * connections)
    await measure(vu, () => ours('vu', `${target.http}/`, connections), 0)
  }
  for (const [{ name, goals }, measured] of theirs) {
    rows.push(rowOf('a GET, requests per CPU second', name, plain, measured, goals.plain))
    rows.push(rowOf('a recorded user against a GET, requests per CPU second', name, vu, measured, goals.vu))
  }
}

async function tls(): Promise<void> {
  const peers = findPeers(false).filter(({ goals }) => goals.tls !== null)
  const own: Measured = { rates: [], isEqual: true }
  const theirs = new Map(
    peers.map((peer) => [peer, { rates: [], isEqual: true } satisfies Measured as Measured]),
  )
  for (let round = 0; round < rounds; round++) {
    await measure(own, () => ours('plain', `${target.https}/`, connections), 0)
    for (const [peer, measured] of theirs)
      await measure(measured, () => peer.run(`${target.https}/`, connections, seconds), 4 * connections)
  }
  for (const [{ name, goals }, measured] of theirs)
    rows.push(rowOf('a GET over TLS 1.3, requests per CPU second', name, own, measured, goals.tls))
}

/** What each user more takes, between few and many. */
function memory(): void {
  for (const [metric, url, few, many, goal] of [
    ['kB of an idle user', target.http, 1000, 10_000, 8],
    ['kB of an idle user over TLS', target.https, 200, 1200, 75],
  ] as const) {
    const rss = [few, many].map((users) => ours('idle', `${url}/`, users, ['--expose-gc']))
    const [small, large] = rss.map(({ more }) => more?.['rssBytes'] ?? NaN)
    const kB = ((large ?? NaN) - (small ?? NaN)) / 1000 / (many - few)
    const equal = rss.every(({ answered, failed }, index) => failed === 0 && answered === [few, many][index])
    rows.push(alone(`${metric}, up to ${many}`, kB, goal, equal))
  }
}

function open(): void {
  const { more, failed } = ours('open', `${target.http}/`, 20_000)
  rows.push(
    alone(
      'open model at 20,000/s, ms that the median is begun late',
      more?.['startErrorP50Ms'] ?? NaN,
      0.1,
      failed === 0,
    ),
  )
  rows.push(
    alone(
      'open model at 20,000/s, ms that the 99th percentile is begun late',
      more?.['startErrorP99Ms'] ?? NaN,
      null,
      failed === 0,
    ),
  )
}

/** A target that answers nothing for a second, once: who arrives in that second waits until it ends. */
async function stall(): Promise<void> {
  const port = 17_000 + (process.pid % 1000)
  const server = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'subjects/plain-server.ts'), '', String(port), '0', '--stall', '1000'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  try {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const lines = createInterface(server.stdout)[Symbol.asyncIterator]()
    const figures: Figures & { more?: { zeroEpochMs?: number } } = JSON.parse(
      execFileSync(
        process.execPath,
        [
          path.join(import.meta.dirname, 'subjects/ours.ts'),
          'stall',
          `http://127.0.0.1:${port}/`,
          '2000',
          '1',
          '8',
        ],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
      )
        .trimEnd()
        .split('\n')
        .at(-1) ?? '',
    )
    const told: unknown = (await lines.next()).value
    const { from, until }: { from: number; until: number } = JSON.parse(String(told))
    const zero = figures.more?.['zeroEpochMs'] ?? NaN
    // Arrivals are every half a millisecond.
    const waits = Array.from({ length: figures.answered }, (_, index) => zero + index / 2)
      .map((due) => (due >= from && due < until ? until - due : 0))
      .toSorted((one, other) => one - other)
    const truth = waits[Math.floor(waits.length * 0.99)] ?? NaN
    const told99 = figures.p99Ms ?? NaN
    const ratio = told99 / truth
    rows.push({
      bench: 'engine',
      metric: 'a stall of a second in the open model, p99 in ms',
      peer: 'worked out',
      ours: told99,
      theirs: truth,
      ratio,
      best: null,
      goal: 1.05,
      met: Math.abs(ratio - 1) <= 0.05,
      equal: figures.failed === 0 && figures.answered === 16_000,
    })
  } finally {
    server.kill()
  }
}

function rowOf(metric: string, peer: string, own: Measured, theirs: Measured, goal: number | null): Row {
  const ratio = median(own.rates.map((rate, round) => rate / (theirs.rates[round] ?? NaN)))
  return {
    bench: 'engine',
    metric,
    peer,
    ours: median(own.rates),
    theirs: median(theirs.rates),
    ratio,
    best: Math.max(...own.rates) / Math.max(...theirs.rates),
    goal,
    met: goal === null ? null : ratio >= goal,
    equal: own.isEqual && theirs.isEqual,
  }
}

function alone(metric: string, value: number, goal: number | null, equal: boolean): Row {
  const met = goal === null ? null : value <= goal
  return {
    bench: 'engine',
    metric,
    peer: '',
    ours: value,
    theirs: null,
    ratio: null,
    best: null,
    goal,
    met,
    equal,
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN
}

function print(): void {
  console.log('| metric | peer | ours | theirs | ratio | best rounds | goal | met | equal |')
  console.log('| --- | --- | --: | --: | --: | --: | --: | --- | --- |')
  for (const { metric, peer, ours: own, theirs, ratio, best, goal, met, equal } of rows) {
    const numbers = [own, theirs, ratio, best, goal].map((value) => value?.toPrecision(3) ?? '')
    const words = [met, equal].map((is) => (is === null ? '' : is ? 'yes' : 'no'))
    console.log(`| ${[metric, peer, ...numbers, ...words].join(' | ')} |`)
  }
}
console.error(onCore(0).length === 0 ? 'taskset is not installed: client and target share their cores.' : '')
