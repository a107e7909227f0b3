import { expect, test } from 'vitest'
import { run } from '../testing/run.ts'
import type { RunOptions } from '../testing/run.ts'
import { compile } from '../program/compile.ts'
import { planOf } from '../testing/run.ts'
import { UserVariables } from './user-variables.ts'
import { Random } from '../random.ts'
import { sharedPlaces } from './feed.ts'

/** What a template stands for, each time it is used. */
async function uses(template: string, options: RunOptions = {}, times = 1): Promise<string[]> {
  const actions = Array.from({ length: times }, () => ({
    type: 'set_variable',
    variable: 'result',
    value: template,
  }))
  const { results, outcome } = await run(actions, options)
  return [
    ...results.map(({ variables, failure }) => failure ?? variables['result'] ?? ''),
    ...(outcome.ended === null ? [] : [outcome.ended]),
  ]
}

test.each([
  [{ type: 'counter', renewed: 'each_use' }, ['1', '2', '3', '4']],
  [{ type: 'counter', renewed: 'each_iteration' }, ['1', '1', '2', '2']],
  [{ type: 'counter', renewed: 'once' }, ['1', '1', '1', '1']],
  [
    { type: 'counter', renewed: 'each_use', start: 8, end: 10, step: 2, digits: 3 },
    ['008', '010', '008', '010'],
  ],
  [{ type: 'counter', renewed: 'each_use', start: 1, step: -1 }, ['1', '0', '-1', '-2']],
  [{ type: 'list', renewed: 'each_use', values: ['a', 'b'] }, ['a', 'b', 'a', 'b']],
])('%j gives %j', async (variable, values) => {
  expect(await uses('${v}', { variables: [{ name: 'v', ...variable }], iterations: 2 }, 2)).toEqual(values)
})

test('what is random is so, within its bounds, and the same for the same seed', async () => {
  const variables = [
    { type: 'random_number', name: 'n', min: 5, max: 7, renewed: 'each_use' },
    { type: 'random_number', name: 'd', min: 0, max: 1, decimals: 2, renewed: 'each_use' },
    { type: 'random_text', name: 't', length: 6, characters: 'xyß', renewed: 'each_use' },
    { type: 'uuid', name: 'u', renewed: 'each_use' },
  ]
  const template = '${n} ${d} ${t} ${u}'
  const values = await uses(template, { variables, seed: 5 }, 60)
  for (const value of values)
    expect(value).toMatch(
      /^[567] (?:0\.\d\d|1\.00) [xyß]{6} [\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    )
  expect(new Set(values).size).toBe(60)
  expect(new Set(values.map((value) => value[0]))).toEqual(new Set(['5', '6', '7']))
  expect(await uses(template, { variables, seed: 5 }, 60)).toEqual(values)
  expect(await uses(template, { variables, seed: 6 }, 60)).not.toEqual(values)
})

const csv = (more: Record<string, unknown> = {}) => ({
  type: 'csv',
  name: 'users',
  path: 'users.csv',
  ...more,
})
const files = { 'users.csv': '\uFEFFuser,"pass word"\nann,"a,1"\nbob,"b""2"\n\n' }

test('a file gives a row for each iteration, by the names of its first line', async () => {
  const options = { variables: [csv()], files, iterations: 3 }
  expect(await uses('${user}', options)).toEqual(['ann', 'bob', 'ann'])
  expect(await uses('${user}', { ...options, variables: [csv({ at_end: 'stop' })] })).toEqual([
    'ann',
    'bob',
    'The variable user has no more values, and the virtual user ends then.',
  ])
  expect(await uses('${user}', { ...options, variables: [csv({ order: 'unique' })] })).toHaveLength(3)
  expect(await uses('${user}', { ...options, variables: [csv({ renewed: 'once' })] })).toEqual([
    'ann',
    'ann',
    'ann',
  ])
})

test('a file with names of its own, another delimiter, quotes and charset', async () => {
  const variables = [
    csv({ columns: ['a', 'b'], delimiter: ';', quote: "'", encoding: 'latin1', skip_lines: 1 }),
  ]
  const options = { variables, files: { 'users.csv': Buffer.from("# users\n'x;y';\xe9\n", 'latin1') } }
  expect(await uses('${a} ${b}', options)).toEqual(['x;y é'])
})

test.each([
  ['is read as windows-1252', Buffer.from('\x80 \x93\xe9\x94 \x8a\x9f\n', 'latin1'), '€ “é” ŠŸ'],
  ['is none when its first bytes say what it is', Buffer.from('\uFEFFé €\n'), 'é €'],
])('a file in latin1 %s', async (_, bytes, name) => {
  const variables = [csv({ columns: ['name'], encoding: 'latin1' })]
  expect(await uses('${name}', { variables, files: { 'users.csv': bytes } })).toEqual([name])
})

test('rows in random order are all used', async () => {
  const rows = Array.from({ length: 5 }, (_, index) => `r${index}`)
  const options = {
    variables: [csv({ order: 'random' })],
    files: { 'users.csv': ['user', ...rows].join('\n') },
    iterations: 100,
  }
  expect(new Set(await uses('${user}', options))).toEqual(new Set(rows))
})

test('a missing file is told where its variable is used, and nowhere else', async () => {
  const missing = 'The file users.csv of the variable users does not exist in this project.'
  expect(await uses('${user}', { variables: [csv()] })).toEqual([
    `The variable user has no value. ${missing}`,
  ])
  expect(await uses('${user}', { variables: [csv({ columns: ['user'] })] })).toEqual([
    `The variable user has no value. ${missing}`,
  ])
  expect(await uses('plain', { variables: [csv()] })).toEqual(['plain'])
})

test('what is shared goes on from one user to the next, and what is not begins anew', async () => {
  const { results } = await run([])
  expect(results).toEqual([])
  const variables = [
    { type: 'counter', name: 'shared' },
    { type: 'counter', name: 'own', sharing: 'per_user' },
    csv({ order: 'unique', sharing: 'per_user' }),
  ]
  const plan = planOf([{ type: 'set_variable', variable: 'x', value: '${shared} ${own} ${user}' }], {
    variables,
    files,
  })
  const pool = await compile(plan).openVariables(plan.openFile)
  const values = [1, 2, 3].map((seed) => {
    const user = new UserVariables(pool, new Map(), new Random(seed))
    const ended = user.beginIteration(0)
    return ended?.names[0] ?? ['shared', 'own', 'user'].map((name) => user.get(name)).join(' ')
  })
  expect(values).toEqual(['1 1 ann', '2 1 bob', 'user'])
})

test.each([
  [{ at_end: 'stop' }, ['a1', 'c3', 'e5', 'end'], ['b2', 'd4', 'end', 'end']],
  [{ order: 'unique' }, ['a1', 'c3', 'e5', 'end'], ['b2', 'd4', 'end', 'end']],
  [{}, ['a1', 'c3', 'e5', 'b7'], ['b2', 'd4', 'a6', 'c8']],
])('agents take turns in the rows of a file and in a counter: %j', async (more, first, second) => {
  const plan = planOf([{ type: 'set_variable', variable: 'x', value: '${user}${n}' }], {
    variables: [csv(more), { type: 'counter', name: 'n' }],
    files: { 'users.csv': 'user\na\nb\nc\nd\ne\n' },
  })
  const valuesOf = async (index: number) => {
    const pool = await compile(plan).openVariables(
      plan.openFile,
      sharedPlaces(2, [
        { index, agents: 2 },
        { index, agents: 2 },
      ]),
    )
    return [1, 2, 3, 4].map((seed) => {
      const user = new UserVariables(pool, new Map(), new Random(seed))
      return user.beginIteration(0) === undefined ? [user.get('user'), user.get('n')].join('') : 'end'
    })
  }
  expect([await valuesOf(0), await valuesOf(1)]).toEqual([first, second])
})

const constant = (name: string, value: string) => ({ type: 'constant', name, value })

test('constants are made of others, and a circle is told', async () => {
  const variables = [
    constant('a', '${b}-${b}'),
    constant('b', 'x$${y}'),
    constant('c', '${d}'),
    constant('d', '${c}'),
  ]
  expect(await uses('${a}', { variables })).toEqual(['x${y}-x${y}'])
  expect(await uses('${c}', { variables })).toEqual(['Constants go round in a circle: c → d → c.'])
})

test('a list is its first value, one of its values, or how many it has', async () => {
  const actions = [
    { type: 'script', source: "vars.set('l', ['a', 'b']); vars.set('s', 'x')" },
    { type: 'set_variable', variable: 'r', value: '${l} ${l[1]} ${l.length} ${s[0]} ${s.length}' },
    { type: 'set_variable', variable: 'r', value: '${l[2]}' },
  ]
  const { results } = await run(actions)
  expect(results[1]?.variables).toEqual({ r: 'a b 2 x 1' })
  expect(results[2]?.failure).toBe('The variable l has 2 values; ${l[2]} is none of them.')
})

const date = (more: Record<string, unknown>) => ({ variables: [{ type: 'date_time', name: 'd', ...more }] })

test('a secret without a value, and a date format that is none, are told where they are used', async () => {
  expect(await uses('${s}', { variables: [{ type: 'secret', name: 's' }] })).toEqual([
    'The variable s has no value. It is a secret, and no value was given for it.',
  ])
  expect(await uses('${d}', date({ format: 'yyyy J' }))).toEqual([
    "The variable d has no value. The letter J means nothing in a date format. Put plain text between ' and '.",
  ])
  expect((await uses('${d}', date({ time_zone: 'Mars/Base' })))[0]).toContain('Invalid time zone')
  const [now] = await uses('${d}', date({ format: 'unix_ms', offset_ms: 86_400_000 }))
  expect(Math.abs(Number(now) - 86_400_000 - Date.now())).toBeLessThan(60_000)
})
