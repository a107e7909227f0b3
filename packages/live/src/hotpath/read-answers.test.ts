import { expect, test } from 'vitest'
import { livePush, type LiveSection } from '../push.ts'
import { parseBytes, parseDuration, parsePercent } from './quantities.ts'
import { hotpathPaths, readHotpathAnswers } from './read-answers.ts'
import { withoutLiterals } from './sql-text.ts'
import { unknownNames } from './testing/unknown-names.ts'
import { answerOf, generations, programBodies, type Generation } from './testing/bodies.ts'

function readingOf(generation: Generation) {
  const bodies = programBodies(generation, 50, 12.4)
  return readHotpathAnswers(new Map(hotpathPaths.map((path) => [path, answerOf(generation, bodies, path)])))
}

function itemOf(generation: Generation, section: LiveSection, name: string) {
  const items = readingOf(generation).sections[section]?.items ?? []
  // As it is sent: what is not known is not there.
  return JSON.parse(JSON.stringify(items.find((item) => item.name === name) ?? null)) as unknown
}

test.each(generations)('generation %s is told by its shape, with how long the program runs', (generation) => {
  const { era, elapsedMs, caller, pid } = readingOf(generation)
  expect([era, elapsedMs, caller, pid]).toEqual([
    generation,
    12_400,
    'shop::main',
    generation === '1' ? undefined : 31_337,
  ])
})

test.each(generations)('generation %s makes a push whose names are those of its sections', (generation) => {
  const push = livePush.parse({
    session: 'session-1',
    sequence: 0,
    at: 1,
    sections: readingOf(generation).sections,
  })
  expect(unknownNames(push)).toEqual([])
})

test.each(generations)(
  'generation %s says of a function what the first one says in raw numbers',
  (generation) => {
    const expected = { count: 50, total: 100e6, percentiles: { '95': 6_200_000 } }
    expect(itemOf(generation, 'functions_timing', 'shop::pay')).toMatchObject({
      distributions: { duration: generation === '4' ? { ...expected, sampled: 25 } : expected },
    })
    // What was never called, or cannot be measured, has no times, and they are not zero.
    expect(itemOf(generation, 'functions_timing', 'shop::idle')).not.toHaveProperty('distributions')
  },
)

test.each(generations)('generation %s: channels, streams and futures', (generation) => {
  expect(itemOf(generation, 'channels', 'jobs')).toMatchObject({
    kind: 'bounded[100]',
    state: 'active',
    place: { file: 'src/main.rs' },
    counters: { sent: 50, received: 48 },
    levels: { queued: 2, capacity: 100 },
    texts: { type_name: 'Job' },
  })
  // Made a second time at its place.
  expect(itemOf(generation, 'streams', 'ticks-2')).toMatchObject({ counters: { items: 7 } })
  expect(itemOf(generation, 'futures', 'fetch')).toMatchObject({ counters: { calls: 2, polls: 15 } })
})

test('what only some generations tell', () => {
  expect(itemOf('1', 'channels', 'jobs')).toMatchObject({ levels: { queued_bytes: 48 } })
  expect(itemOf('2', 'channels', 'jobs')).toMatchObject({ levels: { queued_bytes: 48 } })
  expect(itemOf('3', 'channels', 'jobs')).toMatchObject({
    levels: { queued_max: 9, instances: 1, closed_instances: 0 },
    distributions: { delay: { count: 48, sampled: 5, total: 48 * 4000, percentiles: { '95': 91_000 } } },
  })
  // Five of fifteen polls were measured.
  expect(itemOf('3', 'futures', 'fetch')).toMatchObject({
    distributions: { poll: { count: 15, sampled: 5, total: 3000 } },
  })
})

test.each(generations)('generation %s: threads, and the process that they are of', (generation) => {
  expect(itemOf(generation, 'threads', 'process')).toMatchObject({
    counters: { allocated: 2048, freed: 1024 },
    levels: { rss: 1_048_576 },
  })
  expect(itemOf(generation, 'threads', 'main')).toMatchObject({
    id: '4711',
    state: 'Sleeping',
    counters: generation === '1' ? { cpu_user: 20e6, cpu_system: 10e6 } : { allocated: 2048 },
    levels: { cpu_percent: 1.2 },
  })
})

test('gauges, values, debug entries and the runtime', () => {
  expect(itemOf('2', 'gauges', 'open')).toMatchObject({ counters: { logged: 50 }, levels: { value: 42.5 } })
  expect(itemOf('2', 'values', 'depth')).toMatchObject({ texts: { last_value: '17' } })
  expect(itemOf('2', 'debug', 'state')).toMatchObject({
    place: { file: 'src/main.rs', line: 61 },
    texts: { expression: 'state', last_value: 'Ready' },
  })
  expect(itemOf('2', 'runtime', 'runtime')).toMatchObject({
    counters: { spawned_tasks_count: 90 },
    levels: { num_workers: 1, num_alive_tasks: 37 },
  })
  expect(itemOf('2', 'runtime', 'worker 0')).toMatchObject({
    counters: { park_count: 900, busy_duration_ms: 4200 },
  })
})

test('locks, SQL without literals, requests and I/O of the newest generation', () => {
  const { locks } = readingOf('4').sections
  expect(locks?.items?.map(({ kind, distributions }) => [kind, Object.keys(distributions ?? {})])).toEqual([
    ['rw_lock', ['read_wait', 'read_hold', 'write_wait', 'write_hold']],
    ['mutex', ['wait', 'hold']],
  ])
  expect(locks?.items?.[1]?.distributions?.['wait']).toEqual({
    count: 100,
    sampled: 50,
    total: 5_200_000,
    percentiles: { '95': 910_000 },
  })
  expect(readingOf('4').sections.sql?.items).toMatchObject([
    {
      name: 'SELECT * FROM users WHERE mail = ? AND age > ?',
      distributions: { duration: { count: 50, total: 50e6, percentiles: { '95': 6e6 } } },
      texts: { route: 'GET /users' },
    },
  ])
  expect(itemOf('4', 'http', 'GET api.example.org')).toMatchObject({ counters: { errors: 3 } })
  expect(itemOf('4', 'server', 'GET /users/{id}')).toMatchObject({
    counters: { status_4xx: 2, status_5xx: 1, sql: 75 },
    distributions: { allocated: { count: 50, total: 4096, percentiles: { '95': 2048 } } },
  })
  expect(itemOf('4', 'io', 'cache')).toMatchObject({
    counters: { errors: 1, read_bytes: 4096, written_bytes: 1536 },
    distributions: { read: { count: 10, total: 20_000 }, write: { count: 4, total: 4000 } },
  })
  expect(itemOf('4', 'functions_cpu', 'shop::pay')).toMatchObject({ counters: { samples: 40 } })
})

test.each(generations)(
  'generation %s: what is missing is off, with what the server says of it',
  (generation) => {
    const { functions_alloc: alloc, sql } = readingOf(generation).sections
    expect(alloc).toEqual({
      status: 'off',
      reason: 'Memory profiling not available - enable hotpath-alloc feature',
    })
    expect(sql).toMatchObject(
      generation === '4'
        ? { status: 'on' }
        : { status: 'off', reason: 'This version of hotpath does not tell it.' },
    )
  },
)

test('what could not be read has failed; what was not asked for is not told', () => {
  const { sections } = readHotpathAnswers(
    new Map([
      ['/threads', { status: 500, body: 'Internal server error: no memory' }],
      ['/streams', { status: 200, body: 'no JSON' }],
      ['/functions_cpu', { status: 200, body: { status: 'error', error: 'perf is missing' } }],
    ]),
  )
  expect(sections).toEqual({
    streams: { status: 'failed', reason: 'no JSON' },
    threads: { status: 'failed', reason: 'Internal server error: no memory' },
    functions_cpu: { status: 'failed', reason: 'perf is missing' },
  })
})

test('items that the server leaves out are counted', () => {
  expect(readingOf('4').sections.functions_timing?.left_out).toBe(2)
  expect(readingOf('3').sections.functions_timing?.left_out).toBeUndefined()
})

test.each(generations)(
  'generation %s: answers that make no sense are read as far as they do',
  (generation) => {
    const bodies = programBodies(generation, 50, 12.4)
    for (const nonsense of [null, 7, 'x', [], [null], {}, { data: 'x' }, { data: [null, 7, {}] }]) {
      const answers = new Map(Object.keys(bodies).map((path) => [path, { status: 200, body: nonsense }]))
      expect(() =>
        livePush.parse({
          session: 'session-1',
          sequence: 0,
          at: 1,
          sections: readHotpathAnswers(answers).sections,
        }),
      ).not.toThrow()
    }
  },
)

test.each([
  ['850 ns', 850],
  ['12.34 µs', 12_340],
  ['12.34 μs', 12_340],
  ['1.50 ms', 1_500_000],
  ['2.10 s', 2.1e9],
  ['N/A', undefined],
  ['', undefined],
  ['12', undefined],
])('parseDuration(%j) is %j', (text, ns) => expect(parseDuration(text)).toBe(ns))

test.each([
  ['512 B', 512],
  ['1.5 KB', 1536],
  ['-2.0 MB', -2 * 2 ** 20],
  ['N/A', undefined],
])('parseBytes(%j) is %j', (text, bytes) => expect(parseBytes(text)).toBe(bytes))

test('parsePercent() reads what has a sign', () => {
  expect([parsePercent('12.34%'), parsePercent('1.2%'), parsePercent('N/A')]).toEqual([12.34, 1.2, undefined])
})

test.each([
  [
    `SELECT * FROM t1 WHERE a = 'it''s' AND b = $1 AND c > 4.5e3`,
    'SELECT * FROM t1 WHERE a = ? AND b = $1 AND c > ?',
  ],
  [`INSERT INTO "users" ("name") VALUES ("ada", 0x1F)`, 'INSERT INTO "users" ("name") VALUES (?, ?)'],
  [`select 1 -- of 'ada'\n, $tag$ada$tag$ /* ada */ from t`, 'select ? , ? from t'],
  [`SELECT "a"."b" FROM x WHERE "a"."b" = "ada"`, 'SELECT "a"."b" FROM x WHERE "a"."b" = ?'],
  [`SELECT E'a\\'da', :name, 'open`, 'SELECT ?, :name, ?'],
])('withoutLiterals(%j)', (sql, plain) => expect(withoutLiterals(sql)).toBe(plain))
