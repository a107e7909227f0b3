import { catalogue } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { wrongInLog, wrongWith } from '../long/fuzz-operations/judge.ts'
import { makeRequest, type FuzzRequest, type Material } from '../long/fuzz-operations/make-request.ts'
import { growth } from '../long/fuzz-operations/memory.ts'
import { fuzzPage, type FuzzResult } from '../long/fuzz-operations/page.ts'
import type { Answer } from '../long/fuzz-operations/send.ts'
import { Verbatim, writtenJson } from '../long/fuzz-operations/written-json.ts'

// Whether `npm run long -- fuzz-operations` makes what it says, and would see what it looks for.

const material: Material = {
  ids: new Map([['prj', ['prj_01aaaaaaaaaaaaaaaaaaaaaaaa']]]),
  inputs: new Map(),
  cursors: new Map(),
  tokens: { rest: 'rest', mcp: 'mcp', administrator: 'administrator' },
  spareIds: new Map(),
  only: undefined,
}

test('a request is made of its seed and number alone', () => {
  for (let number = 0; number < 100; number += 1)
    expect(makeRequest(7, number, material)).toEqual(makeRequest(7, number, material))
  expect(makeRequest(8, 1, material)).not.toEqual(makeRequest(7, 1, material))
})

test('every operation is called, over every surface, and in every way', () => {
  const all = new Set([undefined, ...catalogue.map(({ id }) => id)])
  const [operations, surfaces, kinds] = [new Set(), new Set(), new Set()]
  // Which are called when changes with the catalogue.
  for (let number = 0; operations.size < all.size && number < 20_000; number += 1) {
    const { operation, surface, kind } = makeRequest(1, number, material)
    operations.add(operation)
    surfaces.add(surface)
    kinds.add(kind)
  }
  expect(operations).toEqual(all)
  expect([surfaces.size, kinds.size]).toEqual([3, 9])
})

const sent: FuzzRequest = {
  number: 0,
  kind: 'strange text',
  surface: 'REST',
  operation: 'get_run',
  method: 'GET',
  target: '/v1/runs/x',
  headers: {},
  body: undefined,
}
const answer: Answer = {
  status: 404,
  headers: { 'content-type': 'application/problem+json; charset=utf-8' },
  text: '{"code":"run_not_found","detail":"No such run."}',
  durationMs: 1,
  failure: undefined,
}

test('a refusal in our words is right', () => {
  expect(wrongWith(sent, answer)).toBeUndefined()
})

test('what somebody stored is told as it was stored', () => {
  const text = '{"arguments":{"constructor":{"prototype":{"flamegatePolluted":1}}}}'
  expect(wrongWith(sent, { ...answer, status: 200, text })).toBeUndefined()
})

test.each<[string, Partial<FuzzRequest>, Partial<Answer>]>([
  ['a fault', {}, { status: 500 }],
  ['being overloaded', {}, { status: 503 }],
  ['no answer', {}, { status: 0, failure: 'hang' }],
  ['a connection that breaks', {}, { status: 0, failure: 'ECONNRESET' }],
  [
    'a stack',
    {},
    { text: '{"code":"x","detail":"TypeError\\n    at read (/srv/app/x.ts:3:4)"}'.replace('\\n', '\n') },
  ],
  ['words of the database', {}, { text: '{"code":"x","detail":"violates check constraint"}' }],
  ['other words than problem details', {}, { status: 400, headers: { 'content-type': 'application/json' } }],
  ['a defect over MCP', { surface: 'MCP' }, { status: 200, text: '{"error":{"code":-32603}}' }],
  ['a property of every object', {}, { status: 200, text: '{"flamegatePolluted":1}' }],
  [
    'one beside what somebody stored',
    {},
    { status: 200, text: '{"prototype":{"flamegatePolluted":1},"a":{"flamegatePolluted":1}}' },
  ],
])('%s is seen', (_name, request, changes) => {
  expect(wrongWith({ ...sent, ...request }, { ...answer, ...changes })).toEqual(expect.any(String))
})

test('growth is what is left after the first quarter', () => {
  expect(growth([100, 300, 300, 300, 310, 300, 900, 900])).toEqual({
    tenthMib: 100,
    earlyMib: 300,
    lateMib: 900,
  })
})

const line = (level: string, msg: string) =>
  JSON.stringify({ level, time: 'now', err: { message: 'x' }, msg })

test('what the platform logs as an error is wrong, but for what its answer tells', () => {
  const log = [
    'Ctrl-C stops it.',
    line('warn', 'the queue waits'),
    line('error', 'request'),
    line('error', 'job 17 failed'),
    line('fatal', 'unhandledRejection'),
    JSON.stringify({ level: 'error', job: 'import_profile', outcome: 'will_retry', msg: 'job' }),
  ]
  expect(wrongInLog(log.join('\n'))).toEqual(['logged: job N failed', 'logged: unhandledRejection'])
})

test('what is verbatim is written as it is, with quotes and all', () => {
  const value = { deep: new Verbatim('{"a":[1e999]}'), list: [new Verbatim('9007199254740993')], text: '"@' }
  expect(writtenJson(value)).toBe('{"deep":{"a":[1e999]},"list":[9007199254740993],"text":"\\"@"}')
})

test('a page keeps the runs of before, and adds up their requests', () => {
  const result: FuzzResult = {
    seed: 1,
    from: 0,
    requests: 250_000,
    statuses: new Map([['200', 250_000]]),
    kinds: new Map(),
    surfaces: new Map(),
    operations: new Map([
      ['get_run', 3],
      ['list_runs', 2],
    ]),
    durationsMs: new Map([
      ['get_run', 600],
      ['list_runs', 200],
    ]),
    slowest: { durationMs: 1_200, what: 'get_run (7)' },
    findings: new Map(),
    memory: { tenthMib: 700, earlyMib: 800, lateMib: 810 },
    workerMemory: { tenthMib: 300, earlyMib: 300, lateMib: 310 },
    seconds: 1_000,
  }
  const first = fuzzPage(result, '')
  // As oxfmt writes it.
  const second = fuzzPage({ ...result, seed: 2, from: 1_000 }, first.replaceAll('| 250', '|   250'))
  expect(second).toContain('500,000 requests so far')
  expect(second).toMatch(/\| 1 \| 0 \| 250,000 \| 250 \|[^\n]*\n\|[^\n]*\| 2 \| 1,000 \| 250,000 \| 250 \|/)
  expect(second).toContain('the least often list_runs: 2 times')
  expect(second).toContain('| get_run | 75.0 % | 200 |\n| list_runs | 25.0 % | 100 |')
})
