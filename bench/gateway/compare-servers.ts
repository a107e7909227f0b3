import { createAuthenticator } from '@flamegate/auth'
import { startChild } from './child.ts'
import type { Child } from './child.ts'
import type { LoadResult } from './closed-loop.ts'
import { equalAnswers } from './equal-answers.ts'
import type { LoadOrder } from './load.ts'
import { installPeers } from './peers.ts'
import type { Comparison, Figures, Ratio } from './report.ts'
import type { Usage } from './subjects/process.ts'
import { benchPrincipal, identityOf, makeAccessToken, makeKeys, publicUrl } from './world.ts'
import type { World } from './world.ts'

const calls = ['tools/call', 'tools/list'] as const
type Call = (typeof calls)[number]

const gateways = ['supergateway', 'mcp-proxy', 'fastmcp'] as const
const own = ['sdk-1x-stateless', 'sdk-1x-low-level', 'bare-proxy', 'ours', 'ours-in-process'] as const
type Subject = (typeof own)[number] | (typeof gateways)[number]

/**
 * For what shares a core and is not measured itself: garbage in small portions, by the one thread that there is a
 * core for. By default each of these processes stops for 5 to 20 ms at a time, and whoever is measured waits with it.
 */
const calmGarbageCollection = ['--max-semi-space-size=1', '--single-threaded-gc']

const files: Record<Subject, string> = {
  'sdk-1x-stateless': 'subjects/sdk-stateless.ts',
  'sdk-1x-low-level': 'subjects/sdk-low-level.ts',
  'bare-proxy': 'subjects/bare-proxy.ts',
  ours: 'subjects/ours.ts',
  'ours-in-process': 'subjects/ours.ts',
  supergateway: 'subjects/proxy-program.ts',
  'mcp-proxy': 'subjects/proxy-program.ts',
  fastmcp: 'subjects/fastmcp.ts',
}

export interface CompareOptions {
  rounds: number
  secondsEach: number
  connections: number
  /** The server to write a CPU profile of, into `.profiles`. */
  profile?: string | undefined
}

/** Starts all servers, and loads one after the other, round by round. */
export async function compareServers(options: CompareOptions): Promise<Comparison> {
  const { rounds, secondsEach, connections } = options
  const world: World = { publicUrl, apiUrl: '', keys: await makeKeys() }
  const api = await startChild('subjects/api.ts', 1, world, calmGarbageCollection)
  world.apiUrl = api.url
  const load = await startChild('load.ts', 1, {}, calmGarbageCollection)
  const children = new Map<Subject, Child>()
  const peersFolder = await installPeers()
  const subjects: readonly Subject[] = peersFolder === undefined ? own : [...own, ...gateways]
  for (const name of subjects) {
    const given = { ...world, isInProcess: name === 'ours-in-process', peersFolder, program: name }
    const flags = options.profile === name ? ['--cpu-prof', '--cpu-prof-dir=.profiles'] : []
    children.set(name, await startChild(files[name], 0, given, flags))
  }

  const figures = new Map<string, Figures[]>()
  const samples = new Map<string, string>()
  const pairs = subjects
    .flatMap((name) => calls.map((call) => ({ name, call, key: `${name} ${call}` })))
    .filter(({ key }) => key !== 'bare-proxy tools/list')
  for (const { name, call } of pairs) await warmUp(name, call)
  for (let round = 1; round <= rounds; round += 1) {
    // One after the other, so that nothing else of ours runs on the core.
    for (const { name, call, key } of pairs) {
      figures.set(key, [...(figures.get(key) ?? []), await measure(name, call, secondsEach)])
    }
  }
  await stopAllBut('ours', 'bare-proxy')
  const overheads = await overheadAtHalfLoad()
  await stopAllBut('ours')
  const growth = await heapGrowth()
  await Promise.all([...children.values(), api, load].map((child) => child.stop()))

  return {
    rows: pairs.map(({ name, call }) => ({ name, call, ...median(name, call) })),
    ratios: [
      ratio('tools/list', 'sdk-1x-stateless', 250),
      ratio('tools/call', 'sdk-1x-stateless', 150),
      ratio('tools/call', 'sdk-1x-low-level', 3),
      ratio('tools/list', 'sdk-1x-low-level'),
      ratio('tools/call', 'bare-proxy', 0.7),
      ratio('tools/call', 'bare-proxy', undefined, 'ours-in-process'),
      latency('tools/call', 'sdk-1x-stateless'),
      latency('tools/list', 'sdk-1x-stateless'),
      ...overheads,
      ...(peersFolder === undefined ? [] : gateways.map((name) => ratio('tools/call', name, 3))),
    ],
    growth,
  }

  /** Until the engine's compiler has seen enough: its work is CPU time of the process too. */
  async function warmUp(name: Subject, call: Call): Promise<void> {
    const endsAt = performance.now() + 15_000
    let requests = 0
    while (requests < 30_000 && performance.now() < endsAt) {
      const warm = await measure(name, call, 3)
      if (!warm.isClean)
        throw new Error(`${name} does not answer ${call} as it should: ${samples.get(`${name} ${call}`)}`)
      requests += warm.requests
    }
  }

  async function measure(name: Subject, call: Call, seconds: number): Promise<Figures> {
    const child = childOf(name)
    const before = await child.ask<Usage>({ ask: 'usage' })
    const result = await sendLoad(child, call, seconds)
    const after = await child.ask<Usage>({ ask: 'usage' })
    samples.set(`${name} ${call}`, result.sample)
    return {
      requests: result.requests,
      perCpuSecond: result.requests / (after.cpuSeconds - before.cpuSeconds),
      perSecond: result.requests / result.seconds,
      p50Ms: result.p50Ms,
      p99Ms: result.p99Ms,
      rssMb: after.memory.rss / 1e6,
      isClean: isClean(result),
    }
  }

  async function sendLoad(child: Child, call: Call, seconds: number): Promise<LoadResult> {
    return load.ask<LoadResult>(await orderFor(child, call, seconds))
  }

  async function orderFor(child: Child, call: Call, seconds: number): Promise<LoadOrder> {
    return {
      url: child.url,
      token: await makeAccessToken(world),
      call,
      connections,
      seconds,
      hasSession: child === children.get('supergateway'),
    }
  }

  /** What the others still do with a core of theirs after the load would count as ours. */
  async function stopAllBut(...kept: Subject[]): Promise<void> {
    for (const [name, child] of children) {
      if (kept.includes(name)) continue
      children.delete(name)
      await child.stop()
    }
  }

  /**
   * How much later than from the API itself an answer comes, when there is half as much to do as can be done; from the
   * bare proxy too, because it says what a second process costs at all. In turns of a second each, and the median of
   * what the turns differ by: one pause of the machine moves the p99 of its turn, but not those of the others.
   */
  async function overheadAtHalfLoad(): Promise<Ratio[]> {
    type Way = 'ours' | 'bare-proxy' | 'api'
    const perSecond = median('ours', 'tools/call').perSecond / 2
    const { assertions } = await createAuthenticator({ identity: await identityOf(world), issuer: publicUrl })
    async function answersOf(way: Way): Promise<LoadResult> {
      const order = await orderFor(childOf(way === 'api' ? 'ours' : way), 'tools/call', 1)
      const direct =
        way === 'api' ? { url: world.apiUrl, assertion: await assertions.sign(benchPrincipal) } : {}
      return load.ask<LoadResult>({ ...order, perSecond, ...direct })
    }
    const turns: Record<Way, LoadResult>[] = []
    for (let turn = 0; turn < rounds * 10; turn += 1) {
      turns.push({
        ours: await answersOf('ours'),
        'bare-proxy': await answersOf('bare-proxy'),
        api: await answersOf('api'),
      })
    }
    const p99Ms = (way: Way) => middleOf(turns.map((turn) => turn[way].p99Ms))
    return (['api', 'bare-proxy'] as const).map((peer): Ratio => {
      const moreMs = middleOf(turns.map((turn) => turn.ours.p99Ms - turn[peer].p99Ms))
      return {
        bench: 'gateway',
        metric: `tools/call p99 at ${Math.round(perSecond)} a second, ms more than theirs`,
        peer,
        ours: p99Ms('ours'),
        theirs: p99Ms(peer),
        ratio: moreMs,
        goal: peer === 'api' ? 5 : null,
        met: peer === 'api' ? moreMs < 5 : null,
        equal: turns.every((turn) => isClean(turn.ours) && isClean(turn[peer])),
      }
    })
  }

  /** What is still there after 100,000 more calls, when garbage was collected before and after. */
  async function heapGrowth(): Promise<Comparison['growth']> {
    const child = childOf('ours')
    const before = await child.ask<Usage>({ ask: 'usage', collectGarbage: true })
    let sent = 0
    while (sent < 100_000) sent += (await sendLoad(child, 'tools/call', 2)).requests
    const after = await child.ask<Usage>({ ask: 'usage', collectGarbage: true })
    return {
      calls: sent,
      heapMb: (after.memory.heapUsed - before.memory.heapUsed) / 1e6,
      rssMb: (after.memory.rss - before.memory.rss) / 1e6,
    }
  }

  function childOf(name: Subject): Child {
    const child = children.get(name)
    if (!child) throw new RangeError(`${name} was not started`)
    return child
  }

  function median(name: Subject, call: Call): Figures {
    const all = (figures.get(`${name} ${call}`) ?? []).toSorted((a, b) => a.perCpuSecond - b.perCpuSecond)
    const middle = all[Math.floor(all.length / 2)]
    if (!middle) throw new RangeError(`${name} ${call} was not measured`)
    return { ...middle, isClean: all.every((one) => one.isClean) }
  }

  function ratio(call: Call, peer: Subject, goal?: number, ours: Subject = 'ours'): Ratio {
    const [mine, theirs] = [median(ours, call), median(peer, call)]
    const value = mine.perCpuSecond / theirs.perCpuSecond
    const isEqual = equalAnswers(samples.get(`${ours} ${call}`), samples.get(`${peer} ${call}`))
    return {
      bench: 'gateway',
      metric: `${call} per CPU-second${ours === 'ours' ? '' : ', operation in process'}`,
      peer,
      ours: mine.perCpuSecond,
      theirs: theirs.perCpuSecond,
      ratio: value,
      goal: goal ?? null,
      met: goal === undefined ? null : value >= goal,
      equal: mine.isClean && theirs.isClean && isEqual,
    }
  }

  function latency(call: Call, peer: Subject): Ratio {
    const [ours, theirs] = [median('ours', call).p99Ms, median(peer, call).p99Ms]
    return {
      ...ratio(call, peer),
      metric: `${call} p99, ms`,
      ours,
      theirs,
      ratio: ours / theirs,
      goal: 1,
      met: ours <= theirs,
    }
  }
}

function middleOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function isClean({ wrongAnswers, statuses }: LoadResult): boolean {
  return wrongAnswers === 0 && Object.keys(statuses).join() === '200'
}
