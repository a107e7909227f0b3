// Our engine: `ours.ts <kind> <url> <users> <warm-up requests> <seconds>`.
//   plain  one GET, again and again
//   vu     a recorded user: five steps with variables in address and headers, a cookie, a value taken out of each body, a check of
//          each status, and a histogram for each step
//   idle   users that connect, and then think
//   open   iterations of one GET at a rate: the number of users is the rate per second
//   stall  as many as there are in so many seconds at that rate, all of which count
import { httpServer, variable, virtualUser } from '../../../packages/loadtest/src/index.ts'
import { LoadGenerator } from '../../../packages/loadtest-engine/src/index.ts'
import type { LoadModel } from '../../../packages/loadtest-engine/src/index.ts'
import { Recorder } from '../../../packages/loadtest-engine/src/load/recorder.ts'
import { actionCounters, highestOf } from '../../../packages/series/src/index.ts'
import type { Tick } from '../../../packages/series/src/index.ts'
import { cpuSecondsSince, tellFigures } from './figures.ts'

const [kind = '', url = '', users = '', warmUp = '', seconds = ''] = process.argv.slice(2)
const { origin, pathname } = new URL(url)

const get = (id: string, more: Record<string, unknown> = {}) => ({
  type: 'http_request',
  id,
  method: 'GET',
  server_id: 'target',
  path: pathname,
  ...more,
})
const think = { type: 'delay', id: 'think', duration: { distribution: 'constant', ms: 600_000 } }
const step = (number: number) =>
  get(`step ${number}`, {
    path: number === 1 ? '/login' : '/item/${id}',
    query: [
      { name: 'step', value: String(number) },
      { name: 'vu', value: '${vu}' },
    ],
    headers: [
      { name: 'accept', value: 'application/json' },
      { name: 'accept-language', value: 'en-US,en;q=0.9' },
      { name: 'x-token', value: 't-${id}' },
    ],
    extractors: [{ type: 'json_path', id: `e${number}`, variable: 'id', path: '$.id' }],
    assertions: [{ type: 'status', id: `s${number}`, allowed: ['200'] }],
  })
const documents: Record<string, unknown[]> = {
  plain: [get('get')],
  open: [get('get')],
  stall: [get('get')],
  idle: [get('get'), think],
  vu: [{ type: 'set_variable', id: 'set', variable: 'id', value: '1' }, ...[1, 2, 3, 4, 5].map(step)],
}

let answered = 0
let secondsLeft = 0
let rssBytes = 0
let zeroEpochMs = 0
let failed = 0
let before: { cpu: NodeJS.CpuUsage; answered: number } | undefined
let counted: { requests: number; cpuSeconds: number } | undefined
const histogram = new Map<number, number>()
const startErrors: number[] = []
const countAt = actionCounters.indexOf('count')
const failuresAt = actionCounters.flatMap((name, place) => (name.startsWith('error_') ? [place] : []))
const receivedAt = actionCounters.indexOf('received_bytes')

if (kind === 'open') {
  // How late each request was sent: what its two times differ by.
  const original = Object.getOwnPropertyDescriptor(Recorder.prototype, 'record')?.value
  Recorder.prototype.record = function recordWithError(action, ended) {
    if (before !== undefined) startErrors.push(ended.responseMs - ended.serviceMs)
    Reflect.apply(original, this, [action, ended])
  }
}

const stopping = new AbortController()
const model: LoadModel =
  kind === 'open' || kind === 'stall'
    ? { type: 'open', usersMax: kind === 'stall' ? 50 : 100, nextArrivalMs: evenly(Number(users)) }
    : {
        type: 'closed',
        wantedUsers: () => Number(users),
        usersMax: Number(users),
        iterationsMax: null,
      }
const generator = new LoadGenerator(
  {
    profiles: [
      {
        document: virtualUser.parse({
          name: 'Bench',
          user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
          actions: documents[kind],
        }),
        servers: new Map([
          ['target', httpServer.parse({ name: 'target', base_url: origin, tls: { verify: false } })],
        ]),
        variables: [variable.parse({ type: 'counter', name: 'vu', renewed: 'once' })],
        secrets: new Map(),
        thinkTimeFactor: 1,
        model,
        firstAction: 0,
        seed: 1,
      },
    ],
    gate: { resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) },
    openFile: () => Promise.resolve(undefined),
    startAt: Date.now(),
    durationMs: 3_600_000,
    drainMs: 5000,
    signal: stopping.signal,
  },
  {
    onTick: take,
    onSample: ({ failure }) => console.error(failure),
  },
)
await generator.run()
const shares = [0.5, 0.99].map(percentile)
tellFigures({
  requests: counted?.requests ?? 0,
  cpuSeconds: counted?.cpuSeconds ?? 0,
  answered,
  failed,
  p50Ms: shares[0] ?? null,
  p99Ms: shares[1] ?? null,
  more: {
    startErrorP50Ms: shareOf(startErrors, 0.5),
    startErrorP99Ms: shareOf(startErrors, 0.99),
    rssBytes,
    zeroEpochMs,
  },
})
process.exit(0)

function take({ actions }: Tick): void {
  for (const { counters, responseTime } of actions) {
    if ((counters[receivedAt] ?? 0) === 0) continue
    answered += counters[countAt] ?? 0
    for (const place of failuresAt) failed += counters[place] ?? 0
    if (kind !== 'stall' && (before === undefined || counted !== undefined)) continue
    for (const [place, slot] of responseTime.slots.entries())
      histogram.set(slot, (histogram.get(slot) ?? 0) + (responseTime.counts[place] ?? 0))
  }
  if (before === undefined && answered >= Number(warmUp)) {
    if (kind === 'idle') {
      // Memory is what is left when the opening is over.
      before = { cpu: process.cpuUsage(), answered }
      setTimeout(() => {
        globalThis.gc?.()
        rssBytes = process.memoryUsage.rss()
        stopping.abort()
      }, 1500)
      return
    }
    before = { cpu: process.cpuUsage(), answered }
    secondsLeft = Number(seconds)
  } else if (
    before !== undefined &&
    counted === undefined &&
    kind !== 'idle' &&
    kind !== 'stall' &&
    --secondsLeft === 0
  ) {
    counted = { requests: answered - before.answered, cpuSeconds: cpuSecondsSince(before.cpu) }
    stopping.abort()
  }
}

function evenly(perSecond: number): () => number {
  let next = 0
  let at = 0
  const last = kind === 'stall' ? perSecond * Number(seconds) : Infinity
  return () => {
    if (next === 0) zeroEpochMs = performance.timeOrigin + performance.now()
    if (next === last) return Infinity
    // Code that is not compiled yet could not keep up, and what waits then would be told for long after.
    const isSlow = kind === 'open' && next < Number(warmUp) / 2
    at += (next++ === 0 ? 0 : isSlow ? 4000 : 1000) / perSecond
    return at
  }
}

function percentile(share: number): number {
  const all = [...histogram.values()].reduce((sum, count) => sum + count, 0)
  let left = Math.ceil(all * share)
  for (const slot of [...histogram.keys()].toSorted((one, other) => one - other)) {
    left -= histogram.get(slot) ?? 0
    if (left <= 0) return highestOf(slot) / 1000
  }
  return 0
}

function shareOf(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0
}
