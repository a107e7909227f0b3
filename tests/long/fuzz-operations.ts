// Every operation over REST and MCP, called with inputs that are right, nearly right and absurd, broken bodies and strange
// headers: nothing may answer with a 5xx, hang, grow without end or show its innards. Each request is made of the seed and its
// number, so that one that is told can be made again. A run of at least 20,000 requests to all operations adds a line to
// docs/benchmarks/fuzz-operations.md.
//
//     npm run long -- fuzz-operations [--requests 1000000] [--seed 1] [--from 0] [--only get_run,…] [--concurrent 12] [--minutes 60]
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startAlone } from './alone/start-alone.ts'
import { wrongInLog, wrongWith } from './fuzz-operations/judge.ts'
import { makeMaterial } from './fuzz-operations/material.ts'
import { makeRequest, type FuzzRequest } from './fuzz-operations/make-request.ts'
import { growth, sampleMemory, type MemorySample } from './fuzz-operations/memory.ts'
import { fuzzPage, type FuzzResult } from './fuzz-operations/page.ts'
import { Sender, type Answer } from './fuzz-operations/send.ts'

/** What was deleted by then is there again afterwards. */
const requestsPerWorld = 25_000
const tellEvery = 2_500
const answerMsMax = 60_000
/** After so many of one kind there is enough to do. */
const toldOfAKind = 3
/** More than that is more than the noise of a heap that is never full. */
const growthMax = 1.25
const toldRequestsMin = 20_000
const pagePath = join(import.meta.dirname, '../../docs/benchmarks/fuzz-operations.md')

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    only: { type: 'string' },
    concurrent: { type: 'string', default: '12' },
    minutes: { type: 'string', default: '600' },
    log: { type: 'string' },
  },
})
const seed = Number(values.seed)
const from = Number(values.from)
const end = from + Number(values.requests)
const concurrent = Number(values.concurrent)
const startedAt = Date.now()
const until = startedAt + Number(values.minutes) * 60_000

/** Sent, and not answered yet. */
const inFlight = new Set<FuzzRequest>()
const samples: MemorySample[] = []
const result: FuzzResult = {
  seed,
  from,
  requests: 0,
  statuses: new Map(),
  kinds: new Map(),
  surfaces: new Map(),
  operations: new Map(),
  durationsMs: new Map(),
  slowest: { durationMs: 0, what: '' },
  findings: new Map(),
  memory: growth([]),
  workerMemory: growth([]),
  seconds: 0,
}

const alone = await startAlone()
try {
  const { platform } = alone
  const sender = new Sender(platform.url, concurrent, answerMsMax)
  const only = values.only?.split(',')
  let upcoming = makeMaterial(only)
  for (let at = from; at < end && goesOn(); at += requestsPerWorld) {
    const material = await upcoming
    // Made while this one is used. Whoever needs it hears why there is none.
    if (at + requestsPerWorld < end) upcoming = makeMaterial(only)
    upcoming.catch(() => undefined)
    let next = at
    const last = Math.min(end, at + requestsPerWorld)
    const keepSending = async () => {
      while (next < last && goesOn()) {
        await material.renew()
        const request = makeRequest(seed, next++, material)
        inFlight.add(request)
        const answer = await sender.send(request)
        if (alone.hasEnded()) return
        inFlight.delete(request)
        note(request, answer)
        if (result.requests % tellEvery === 0) tell(platform.pid)
      }
    }
    await Promise.all(Array.from({ length: concurrent }, keepSending))
  }
  sender.close()
  result.seconds = (Date.now() - startedAt) / 1000
  if (alone.hasEnded()) {
    addFinding('the platform ended', [...inFlight].map(({ number }) => number).join(', '))
    console.log('The platform ended with one of these:')
    for (const request of inFlight) show(request, undefined, 'on its way at the end')
  }
} finally {
  // After what there is to say at the end.
  await alone.stop(keepLog)
}
result.memory = growth(samples.map(({ platformMib }) => platformMib))
result.workerMemory = growth(samples.map(({ workerMib }) => workerMib))
for (const [what, memory] of Object.entries({ platform: result.memory, worker: result.workerMemory }))
  if (samples.length >= 20 && memory.lateMib > memory.earlyMib * growthMax)
    addFinding(`the memory of the ${what} grew`, JSON.stringify(memory))

const page = fuzzPage(result, existsSync(pagePath) ? readFileSync(pagePath, 'utf8') : '')
console.log(page)
if (values.only === undefined && result.requests >= toldRequestsMin) writeFileSync(pagePath, page)
if (result.findings.size > 0) process.exitCode = 1

function goesOn(): boolean {
  return Date.now() < until && !alone.hasEnded()
}

/** What the platform logged is kept when anything in it is wrong. */
function keepLog(log: string): void {
  for (const what of wrongInLog(log)) addFinding(what, 'in the log')
  if (result.findings.size === 0) return
  const path = join(tmpdir(), `fuzz-operations-${seed}-${startedAt}.log`)
  writeFileSync(path, log)
  console.log(`What the platform logged is in ${path}; its end:\n${log.slice(-4_000)}`)
}

function note(request: FuzzRequest, answer: Answer): void {
  result.requests += 1
  count(result.kinds, request.kind)
  count(result.surfaces, request.surface)
  if (request.operation !== undefined) {
    count(result.operations, request.operation)
    const { durationsMs } = result
    durationsMs.set(request.operation, (durationsMs.get(request.operation) ?? 0) + answer.durationMs)
  }
  count(result.statuses, answer.failure === undefined ? String(answer.status) : 'hung up')
  if (answer.durationMs > result.slowest.durationMs)
    result.slowest = {
      durationMs: answer.durationMs,
      what: `${request.operation ?? request.target} (${request.number})`,
    }
  const wrong = wrongWith(request, answer)
  if (wrong === undefined) return
  const told = addFinding(
    `${request.operation ?? `${request.method} ${request.target}`}: ${wrong}`,
    String(request.number),
  )
  if (told <= toldOfAKind) show(request, answer, wrong)
}

function addFinding(what: string, where: string): number {
  const all = result.findings.get(what) ?? []
  result.findings.set(what, [...all, where])
  return all.length + 1
}

/** All that is needed to try it again by hand. */
function show(
  { number, kind, surface, method, target, headers, body }: FuzzRequest,
  answer: Answer | undefined,
  wrong: string,
): void {
  const { authorization: _secret, ...shown } = headers
  const text = `
FINDING ${number} (${kind}, ${surface}): ${wrong}
  ${method} ${target.slice(0, 400)} ${JSON.stringify(shown).slice(0, 400)}
  ${body?.toString().slice(0, 1_500) ?? ''}
  -> ${answer === undefined ? 'no answer' : `${answer.status} ${answer.failure ?? ''} after ${Math.round(answer.durationMs)} ms: ${answer.text.slice(0, 600)}`}
`
  console.log(text)
  if (values.log !== undefined) appendFileSync(values.log, text)
}

function tell(pid: number): void {
  const sample = sampleMemory(pid)
  samples.push(sample)
  const seconds = (Date.now() - startedAt) / 1000
  console.log(
    `${Math.round(seconds)} s: ${result.requests} requests (${Math.round(result.requests / seconds)} a second), ${sample.platformMib} MiB and ${sample.workerMib} MiB of the worker, ${result.findings.size} findings`,
  )
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
