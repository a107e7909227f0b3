// How many MCP requests one CPU-second of the gateway answers, beside servers of the official SDK and a bare proxy.
import { parseArgs } from 'node:util'
import { isPinned, startChild } from './child.ts'
import type { Child } from './child.ts'
import { equalAnswers } from './equal-answers.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { printJson, printTable } from './report.ts'
import type { Figures, Ratio } from './report.ts'
import type { Usage } from './subjects/process.ts'
import { makeAccessToken, makeKeys, publicUrl } from './world.ts'
import type { World } from './world.ts'

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    profile: { type: 'string' },
  },
})
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
const connections = 16
const calls = ['tools/call', 'tools/list'] as const
type Call = (typeof calls)[number]

const subjects = ['sdk-1x-stateless', 'sdk-1x-low-level', 'bare-proxy', 'ours', 'ours-in-process'] as const
type Subject = (typeof subjects)[number]
const files: Record<Subject, string> = {
  'sdk-1x-stateless': 'subjects/sdk-stateless.ts',
  'sdk-1x-low-level': 'subjects/sdk-low-level.ts',
  'bare-proxy': 'subjects/bare-proxy.ts',
  ours: 'subjects/ours.ts',
  'ours-in-process': 'subjects/ours.ts',
}

const world: World = { publicUrl, apiUrl: '', keys: await makeKeys() }
const api = await startChild('subjects/api.ts', 1, world)
world.apiUrl = api.url
const load = await startChild('load.ts', 1)
const started = await Promise.all(
  subjects.map(async (name): Promise<[Subject, Child]> => {
    const given = { ...world, isInProcess: name === 'ours-in-process' }
    const flags = options.profile === name ? ['--cpu-prof', '--cpu-prof-dir=.profiles'] : []
    return [name, await startChild(files[name], 0, given, flags)]
  }),
)
const children = new Map(started)

const measured = new Map<string, Figures[]>()
const samples = new Map<string, string>()
const pairs = subjects
  .flatMap((name) => calls.map((call) => ({ name, call })))
  .filter(({ name, call }) => !(name === 'bare-proxy' && call === 'tools/list'))
for (const { name, call } of pairs) await warmUp(name, call)
for (let round = 1; round <= rounds; round += 1) {
  // One after the other, so that nothing else of ours runs on the core.
  for (const { name, call } of pairs) {
    const key = `${name} ${call}`
    measured.set(key, [...(measured.get(key) ?? []), await measure(name, call, seconds)])
  }
}
const growth = await heapGrowth()
await Promise.all([...children.values(), api, load].map((child) => child.stop()))

const median = (name: Subject, call: Call): Figures => {
  const all = (measured.get(`${name} ${call}`) ?? []).toSorted((a, b) => a.perCpuSecond - b.perCpuSecond)
  const middle = all[Math.floor(all.length / 2)]
  if (!middle) throw new RangeError(`${name} ${call} was not measured`)
  return { ...middle, isClean: all.every(({ isClean }) => isClean) }
}

const ratios: Ratio[] = [
  ratio('tools/list', 'sdk-1x-stateless', 250),
  ratio('tools/call', 'sdk-1x-stateless', 150),
  ratio('tools/call', 'sdk-1x-low-level', 3),
  ratio('tools/list', 'sdk-1x-low-level'),
  ratio('tools/call', 'bare-proxy', 0.6),
  ratio('tools/call', 'bare-proxy', undefined, 'ours-in-process'),
  latency('tools/call', 'sdk-1x-stateless'),
  latency('tools/list', 'sdk-1x-stateless'),
]

if (options.json) printJson(ratios, growth)
else {
  const rows = pairs.map(({ name, call }) => ({ name, call, ...median(name, call) }))
  printTable(rows, ratios, growth, { rounds, seconds, connections, isPinned })
}

async function measure(name: Subject, call: Call, forSeconds: number): Promise<Figures> {
  const child = children.get(name)
  if (!child) throw new RangeError(`${name} was not started`)
  const token = await makeAccessToken(world)
  const order: LoadOrder = { url: child.url, token, call, connections, seconds: forSeconds }
  const before = await child.ask<Usage>({ ask: 'usage' })
  const result = await load.ask<LoadResult>(order)
  const after = await child.ask<Usage>({ ask: 'usage' })
  samples.set(`${name} ${call}`, result.sample)
  return {
    requests: result.requests,
    perCpuSecond: result.requests / (after.cpuSeconds - before.cpuSeconds),
    perSecond: result.requests / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    rssMb: after.memory.rss / 1e6,
    isClean: result.wrongAnswers === 0 && Object.keys(result.statuses).join() === '200',
  }
}

/** Until the compiler of the engine has seen enough: its work is CPU time of the process too. */
async function warmUp(name: Subject, call: Call): Promise<void> {
  const endsAt = performance.now() + 15_000
  let requests = 0
  while (requests < 30_000 && performance.now() < endsAt) {
    requests += (await measure(name, call, 3)).requests
  }
}

function ratio(call: Call, peer: Subject, goal?: number, ours: Subject = 'ours'): Ratio {
  const [mine, theirs] = [median(ours, call), median(peer, call)]
  const value = mine.perCpuSecond / theirs.perCpuSecond
  return {
    bench: 'gateway',
    metric: `${call} per CPU-second${ours === 'ours' ? '' : ', API in process'}`,
    peer,
    ours: mine.perCpuSecond,
    theirs: theirs.perCpuSecond,
    ratio: value,
    goal: goal ?? null,
    met: goal === undefined ? null : value >= goal,
    equal:
      mine.isClean &&
      theirs.isClean &&
      equalAnswers(samples.get(`${ours} ${call}`), samples.get(`${peer} ${call}`)),
  }
}

function latency(call: Call, peer: Subject): Ratio {
  const { metric: _rate, ...compared } = ratio(call, peer)
  const [ours, theirs] = [median('ours', call).p99Ms, median(peer, call).p99Ms]
  return {
    ...compared,
    metric: `${call} p99, ms`,
    ours,
    theirs,
    ratio: ours / theirs,
    goal: 1,
    met: ours <= theirs,
  }
}

/** Bytes of heap that are still there after 100,000 more calls, when garbage was collected before and after. */
async function heapGrowth(): Promise<{ calls: number; heapMb: number; rssMb: number }> {
  const child = children.get('ours')
  if (!child) throw new RangeError('ours was not started')
  const before = await child.ask<Usage>({ ask: 'usage', collectGarbage: true })
  let done = 0
  while (done < 100_000) {
    const token = await makeAccessToken(world)
    const order: LoadOrder = { url: child.url, token, call: 'tools/call', connections, seconds: 2 }
    done += (await load.ask<LoadResult>(order)).requests
  }
  const after = await child.ask<Usage>({ ask: 'usage', collectGarbage: true })
  return {
    calls: done,
    heapMb: (after.memory.heapUsed - before.memory.heapUsed) / 1e6,
    rssMb: (after.memory.rss - before.memory.rss) / 1e6,
  }
}
