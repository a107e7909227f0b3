import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { AskedQuestion, ProfileAnalysis } from '@flamegate/operations/ports'
import {
  CannotCompareError,
  CannotFilterError,
  encodeDetail,
  encodeHeapGraph,
  encodeProfile,
  FunctionNotFoundError,
  NoSuchLabelError,
  PatternError,
  readProfile,
  type ImportedProfile,
  type PartOfProfile,
  type QuestionName,
  type QuestionParams,
} from '@flamegate/profiles'
import { profileQuestions } from '@flamegate/profiles/analysis'
import { beforeAll, expect, test } from 'vitest'
import { openProfileAnalysis } from './profile-analysis.ts'

const samples = join(import.meta.dirname, '../../../../packages/profiles/samples')
const files = {
  cpu: 'pprof/go-cpu.pb.gz',
  heap: 'pprof/go-heap.pb.gz',
  sampled: 'firefox/firefox-gecko.json.gz',
  before: 'heapsnapshot/node-before.heapsnapshot.gz',
  after: 'heapsnapshot/node-after.heapsnapshot.gz',
}
const imported: Record<string, ImportedProfile> = {}

beforeAll(async () => {
  for (const [id, file] of Object.entries(files))
    // oxlint-disable-next-line no-await-in-loop -- a few small files
    imported[id] = readProfile(await readFile(join(samples, file)))
})

const encoders = {
  tree: (profile: ImportedProfile) => encodeProfile(profile),
  detail: ({ detail }: ImportedProfile) => detail && encodeDetail(detail),
  heap_graph: ({ heapGraph }: ImportedProfile) => heapGraph && encodeHeapGraph(heapGraph),
}

/** Asks about profiles by their names above, and tells which parts were read for it. */
async function ask<Name extends QuestionName>(
  analysis: ProfileAnalysis,
  name: Name,
  ids: string[],
  params: QuestionParams<Name>,
  asked: Partial<AskedQuestion<Name>> & Pick<AskedQuestion<Name>['subjects'][number], 'filter'> = {},
) {
  const read: string[] = []
  const { filter, ...rest } = asked
  const answer = await analysis.ask({
    name,
    subjects: ids.map((id) => ({ id, filter })),
    params,
    size: 1,
    read: async ({ id, part }: PartOfProfile) => {
      read.push(`${part} of ${id}`)
      return encoders[part](imported[id]!)
    },
    ...rest,
  })
  return { answer, read }
}

const inThreads = () => openProfileAnalysis({ smallSize: 0 })
const here = () => openProfileAnalysis()

type Asked<Name extends QuestionName> = { of: string[]; params: QuestionParams<Name> }
const questions: { [Name in QuestionName]: Asked<Name> } = {
  summary: { of: ['cpu'], params: { maxEntries: 5, depth: 3 } },
  flameGraph: { of: ['cpu'], params: { maxNodes: 50, inverted: true } },
  flameColumns: { of: ['cpu'], params: { rootFunctionName: 'main.main', inverted: false } },
  sandwich: { of: ['cpu'], params: { functionName: 'main.main' } },
  functions: { of: ['cpu'], params: { by: 'self', limit: 10, search: 'main' } },
  hotPaths: { of: ['cpu'], params: { limit: 5, ignore: 'runtime' } },
  functionGroups: { of: ['cpu'], params: { by: 'package', order: 'self', limit: 5 } },
  labelGroups: { of: ['sampled'], params: { label: 'thread', order: 'self', limit: 5 } },
  timeline: { of: ['sampled'], params: { by: 'origin', bucketCount: 10 } },
  sourceLines: { of: ['cpu'], params: { functionName: 'main.main' } },
  labels: { of: ['cpu'], params: { limit: 5 } },
  threads: { of: ['sampled'], params: { limit: 5 } },
  comparison: { of: ['cpu', 'cpu'], params: { baseCount: 1, limit: 5, graphNodes: 9 } },
  heapGrowth: { of: ['heap', 'heap'], params: { limit: 5, thresholdPercent: 1 } },
  heapSeries: {
    of: ['heap', 'heap', 'heap'],
    params: { timesMs: [0, 1000, 2000], limit: 5, confidence: 0.95 },
  },
  heapClasses: { of: ['after', 'before'], params: null },
  heapRetainers: { of: ['after'], params: { of: { className: 'Entry', limit: 2 }, pathCount: 1 } },
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
const names = Object.keys(profileQuestions) as QuestionName[]

/** One for most of the tests: a thread takes a while to start. */
const shared = inThreads()

test.each(names)('a thread answers %s as this one does', async (name) => {
  const { of, params } = questions[name]
  const [own, ofThread] = [await ask(here(), name, of, params), await ask(shared, name, of, params)]
  expect(ofThread.answer).toEqual(own.answer)
  expect(Object.keys(own.answer).length).toBeGreaterThan(0)
})

test.each([
  ['here', here],
  ['in a thread', inThreads],
])('%s, what was read for one question is there for the next', async (_where, open) => {
  const analysis = open()
  const first = await ask(analysis, 'labels', ['cpu'], { limit: 1 })
  expect(first.read.toSorted()).toEqual(['detail of cpu', 'tree of cpu'])
  expect((await ask(analysis, 'summary', ['cpu'], {})).read).toEqual([])
  const both = ask(analysis, 'comparison', ['cpu', 'heap'], { baseCount: 1, limit: 1 })
  expect(await both.catch((error: unknown) => error)).toBeInstanceOf(CannotCompareError)
})

const refused = (asked: Promise<unknown>) => asked.then(String, (error: unknown) => error)

test.each([
  ['here', here()],
  ['in a thread', shared],
])('%s, what a question refuses comes as it was thrown', async (_where, analysis) => {
  expect(await refused(ask(analysis, 'sandwich', ['cpu'], { functionName: 'main.mian' }))).toEqual(
    new FunctionNotFoundError(
      'main.mian',
      expect.arrayContaining(['main.main']),
      'No function is called "main.mian"',
    ),
  )
  expect(await refused(ask(analysis, 'hotPaths', ['cpu'], { limit: 1, focus: '(' }))).toBeInstanceOf(
    PatternError,
  )
  const filter = { fromMs: 0 }
  expect(await refused(ask(analysis, 'summary', ['cpu'], {}, { filter }))).toEqual(
    new CannotFilterError('its samples have no times'),
  )
  const label = { label: 'tenant', order: 'self', limit: 1 } as const
  expect(await refused(ask(analysis, 'labelGroups', ['cpu'], label))).toBeInstanceOf(NoSuchLabelError)
  expect(await refused(ask(analysis, 'comparison', [], { baseCount: 0, limit: 1 }))).toBeInstanceOf(
    RangeError,
  )
})

test('lines are told of the samples that are asked for', async () => {
  const linesOf = async (filter?: { labels: Map<string, string> }) => {
    const asked = await ask(shared, 'sourceLines', ['cpu'], { functionName: 'main.main' }, { filter })
    return asked.answer
  }
  const { labels } = (await ask(here(), 'labels', ['cpu'], { limit: 9 })).answer
  const endpoint = labels.find(({ name }) => name === 'endpoint')
  const parts = await Promise.all(
    endpoint!.values.map(({ value }) => linesOf({ labels: new Map([['endpoint', value]]) })),
  )
  const whole = await linesOf()
  const ofLabelled = parts.reduce((sum, { totalValue }) => sum + totalValue, 0)
  expect(ofLabelled).toBeGreaterThan(0)
  expect(ofLabelled).toBeLessThan(whole.totalValue)
  for (const { lines, selfValue, selfWithoutLine } of [whole, ...parts])
    expect(lines.reduce((sum, line) => sum + line.selfValue, selfWithoutLine)).toBeCloseTo(selfValue, 3)
})

const total = async (filter?: { fromMs: number; toMs: number }) =>
  (await ask(shared, 'summary', ['sampled'], {}, { filter })).answer.totalValue

test('a filter and rules of a project are asked with, and are not kept', async () => {
  const whole = await total()
  expect(await total({ fromMs: 0, toMs: 50 })).toBeLessThan(whole)
  expect(await total()).toBe(whole)
  const originRules = [{ in: 'function', pattern: 'main.', origin: 'Ours' } as const]
  const isOurs = async (rules?: typeof originRules) => {
    const subjects = [{ id: 'cpu', originRules: rules }]
    const { answer } = await ask(shared, 'summary', [], {}, { subjects })
    return answer.expensiveCalls.some(({ origin }) => origin === 'Ours')
  }
  expect([await isOurs(), await isOurs(originRules), await isOurs()]).toEqual([false, true, false])
})

test('while two million nodes are asked about, other work goes on', async () => {
  const nodeCount = 2_000_000
  const nodes = new Int32Array(nodeCount)
  const tree = encodeProfile({
    ...imported['cpu']!,
    sampleTypes: [{ type: 'cpu', unit: 'nanoseconds' }],
    defaultSampleTypeIndex: 0,
    functions: { names: ['a', 'b'], files: ['', ''], startLines: new Int32Array(2) },
    nodes: {
      // A hundred thousand stacks of twenty.
      parents: nodes.map((_, node) => (node === 0 ? -1 : node % 20 === 1 ? 0 : node - 1)),
      functionIndexes: nodes.map((_, node) => (node === 0 ? -1 : node % 2)),
      lines: nodes,
    },
    selfValues: [Float64Array.from(nodes, (_, node) => node % 1000)],
  })
  let turns = 0
  let isWaiting = true
  const turn = () => {
    turns++
    if (isWaiting) setImmediate(turn)
  }
  turn()
  const read = async () => tree
  const { answer } = await ask(shared, 'summary', ['large'], {}, { size: nodeCount, read })
  isWaiting = false
  expect(answer.totalValue).toBe((nodeCount / 1000) * 499_500)
  // Had it been answered here, there would have been as many as there are steps in between.
  expect(turns).toBeGreaterThan(1000)
})

/** A thread that does, for every request, what the code says with the name of the function that is asked about. */
const threadThat = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort } from 'node:worker_threads'
       let count = 0
       parentPort.on('message', ({ question: { params: { functionName: name } } }) => { count++; ${code} })`,
    )}`,
  )
const answersCount = 'parentPort.postMessage({ answer: count })'
const asking = (
  analysis: ProfileAnalysis,
  functionName: string,
  asked: Partial<AskedQuestion<'sandwich'>> = {},
): Promise<unknown> =>
  analysis.ask({
    name: 'sandwich',
    subjects: [{ id: 'one' }],
    params: { functionName },
    size: Infinity,
    read: () => Promise.reject(new TypeError()),
    ...asked,
  })

test('a thread that dies is replaced, and asked once more', async () => {
  const dying = threadThat(`if (name === 'deadly') process.exit(1); ${answersCount}`)
  const analysis = openProfileAnalysis({ threadFile: dying })
  expect(await asking(analysis, 'good')).toBe(1)
  const [deadly, next] = [asking(analysis, 'deadly'), asking(analysis, 'good')]
  await expect(deadly).rejects.toThrow('The thread ended with code 1')
  expect(await next).toBe(1)
})

test('a thread that ends while nothing is asked of it is replaced, too', async () => {
  const ending = threadThat(`${answersCount}; setTimeout(() => process.exit(1), 50)`)
  const analysis = openProfileAnalysis({ threadFile: ending })
  expect(await asking(analysis, 'any')).toBe(1)
  await setTimeout(500)
  expect(await asking(analysis, 'any')).toBe(1)
})

test('a question that takes too long is refused, and holds up nothing that comes after it', async () => {
  const slow = threadThat(`if (name === 'slow') for (;;); ${answersCount}`)
  const analysis = openProfileAnalysis({ threadFile: slow, timeoutMs: 1000 })
  const [first, next] = [asking(analysis, 'slow'), asking(analysis, 'next')]
  await expect(first).rejects.toMatchObject({ code: 'too_large' })
  expect(await next).toBe(1)
})

test('a profile is asked about in one thread, and another one in another', async () => {
  const analysis = openProfileAnalysis({ threadFile: threadThat(answersCount) })
  const of = (id: string) => asking(analysis, 'any', { subjects: [{ id }] })
  expect([await of('a'), await of('b'), await of('a'), await of('b')]).toEqual([1, 1, 2, 2])
})

test('of too many questions at once the last ones are told to come again; those that nobody waits for are not asked', async () => {
  const analysis = openProfileAnalysis({ threadFile: threadThat(answersCount) })
  const hangUp = new AbortController()
  const given = Array.from({ length: 48 }, () => asking(analysis, 'given', { signal: hangUp.signal }))
  const waited = [asking(analysis, 'waited'), asking(analysis, 'waited')]
  await expect(asking(analysis, 'late')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
  const reason = new Error('nobody waits')
  hangUp.abort(reason)
  const [begun, ...dropped] = await Promise.allSettled(given)
  expect(begun).toEqual({ status: 'fulfilled', value: 1 })
  expect(dropped).toEqual(Array.from({ length: 47 }, () => ({ status: 'rejected', reason })))
  expect(await Promise.all(waited)).toEqual([2, 3])
})
