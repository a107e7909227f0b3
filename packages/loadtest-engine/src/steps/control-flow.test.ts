import { expect, test } from 'vitest'
import { planOf, run } from '../testing/run.ts'
import type { RunOptions } from '../testing/run.ts'
import { runVirtualUser } from '../run-virtual-user.ts'

const set = (variable: string, value: string, more: Record<string, unknown> = {}) => ({
  type: 'set_variable',
  variable,
  value,
  ...more,
})
const failing = set('x', '${nobody}')
const when = (left: string, operator: string, right = '') => ({ comparisons: [{ left, operator, right }] })

/** `variable=value` of each action that set one, in their order. */
async function valuesOf(actions: Record<string, unknown>[], options: RunOptions = {}): Promise<string[]> {
  const { results } = await run(actions, options)
  return results.flatMap(({ type, variables }) =>
    type === 'set_variable' ? Object.entries(variables).map(([name, value]) => `${name}=${value}`) : [],
  )
}

test('containers are told after what is in them, with the way to it, and fail with it', async () => {
  const { results, outcome } = await run([
    {
      type: 'container',
      id: 'outer',
      actions: [{ type: 'container', id: 'inner', actions: [set('a', '1'), failing] }],
    },
    set('b', '2'),
  ])
  expect(results.map(({ type, path, outcome: one }) => [type, path.join('/'), one])).toEqual([
    ['set_variable', 'outer/inner', 'passed'],
    ['set_variable', 'outer/inner', 'failed'],
    ['container', 'outer', 'failed'],
    ['container', '', 'failed'],
    ['set_variable', '', 'passed'],
  ])
  expect(results[2]?.failure).toBe('1 of 2 actions in it failed.')
  expect(results.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4])
  expect(outcome).toEqual({ iterations: 1, passed: 2, failed: 1, ended: null })
})

test.each([
  ['2', 'less', '10', true],
  ['b', 'less', '10', false],
  ['1.0', 'equals', '1', true],
  ['a', 'not_equals', 'a', false],
  ['abc', 'contains', 'b', true],
  ['abc', 'not_contains', 'b', false],
  ['abc', 'matches', '^a.c$', true],
  ['3', 'greater_or_equal', '3', true],
  ['3', 'less_or_equal', '2', false],
  ['3', 'greater', '2', true],
  ['${nobody}', 'empty', '', true],
  ['x', 'not_empty', '', true],
])('if %s %s %s: %s', async (left, operator, right, holds) => {
  const actions = [
    {
      type: 'if',
      condition: when(left, operator, right),
      actions: [set('y', '1')],
      else_actions: [set('n', '1')],
    },
  ]
  expect(await valuesOf(actions)).toEqual([holds ? 'y=1' : 'n=1'])
})

test.each([
  ['9007199254740993', 'equals', '9007199254740992', false],
  ['9007199254740993', 'greater', '9007199254740992', true],
  ['-9007199254740993', 'less', '-9007199254740992', true],
  [' 9007199254740993', 'equals', '9007199254740993', true],
  ['9007199254740993', 'greater', '1.5', true],
])('whole numbers beyond 2^53: %s %s %s is %s', async (left, operator, right, holds) => {
  const actions = [{ type: 'if', condition: when(left, operator, right), actions: [set('y', '1')] }]
  expect(await valuesOf(actions)).toEqual(holds ? ['y=1'] : [])
})

test('all or any of the comparisons', async () => {
  const comparisons = [
    { left: '1', operator: 'equals', right: '1' },
    { left: '1', operator: 'equals', right: '2' },
  ]
  const actions = (combine: string) => [
    { type: 'if', condition: { combine, comparisons }, actions: [set('y', '1')] },
  ]
  expect(await valuesOf(actions('all'))).toEqual([])
  expect(await valuesOf(actions('any'))).toEqual(['y=1'])
})

test('a condition that cannot be judged fails its action, and nothing in it is done', async () => {
  const { results } = await run([
    { type: 'if', condition: when('${nobody}', 'equals', '1'), actions: [set('y', '1')] },
    { type: 'if', condition: when('a', 'matches', '('), actions: [set('y', '1')] },
  ])
  expect(results.map(({ failure }) => failure)).toEqual([
    'The variable nobody has no value.',
    '"(" is no regular expression.',
  ])
})

test('while goes on as long as its condition holds, and ends at its limit as a failure', async () => {
  const counter = { type: 'counter', name: 'n', renewed: 'each_use' }
  const actions = [
    set('i', '${n}'),
    { type: 'while', condition: when('${i}', 'less', '3'), actions: [set('i', '${n}')] },
  ]
  expect(await valuesOf(actions, { variables: [counter] })).toEqual(['i=1', 'i=2', 'i=3'])
  const { results } = await run([
    { type: 'while', condition: when('1', 'equals', '1'), iterations_max: 5000, actions: [] },
  ])
  expect(results[0]?.failure).toBe('Its condition still held after 5000 passes.')
})

test('loop, for_each, once and random', async () => {
  const list = { type: 'list', name: 'names', values: ['a', 'b${one}'] }
  const one = { type: 'constant', name: 'one', value: '1' }
  const actions = [
    set('three', '3'),
    { type: 'loop', count: '${three}', actions: [set('l', 'x')] },
    { type: 'for_each', list: 'names', variable: 'name', actions: [set('f', '${name}')] },
    { type: 'once', actions: [set('o', '1')] },
  ]
  const values = await valuesOf(actions, { variables: [list, one], iterations: 2 })
  const again = ['three=3', 'l=x', 'l=x', 'l=x', 'f=a', 'f=b1']
  expect(values).toEqual([...again, 'o=1', ...again])
  const choices = [
    { weight: 0, actions: [set('r', 'never')] },
    { weight: 3, actions: [set('r', 'often')] },
    { weight: 1, actions: [set('r', 'seldom')] },
  ]
  const chosen = await valuesOf([{ type: 'loop', count: '400', actions: [{ type: 'random', choices }] }], {
    seed: 7,
  })
  expect(chosen).not.toContain('r=never')
  expect(chosen.filter((each) => each === 'r=often').length).toBeGreaterThan(260)
  expect(chosen.filter((each) => each === 'r=seldom').length).toBeGreaterThan(60)
})

test('what holds others and fails by itself makes what is around it fail', async () => {
  const { results, outcome } = await run([
    { type: 'container', actions: [{ type: 'loop', count: 'many', actions: [] }, set('a', '1')] },
  ])
  expect(results.at(-1)?.failure).toBe('1 of 2 actions in it failed.')
  expect(outcome).toMatchObject({ passed: 1, failed: 1 })
})

test('a loop whose count is no number, and choices without a weight, fail with words', async () => {
  const { results } = await run([
    { type: 'loop', count: 'many', actions: [] },
    { type: 'random', choices: [{ weight: 0, actions: [] }] },
    { type: 'for_each', list: 'nobody', variable: 'x', actions: [] },
  ])
  expect(results.map(({ failure }) => failure)).toEqual([
    'The count "many" is no whole number.',
    'All of its choices have the weight 0.',
    'The variable nobody has no value.',
  ])
})

test('what is disabled is told once, as skipped, and what is in it is not', async () => {
  const { results, outcome } = await run(
    [
      set('a', '${nobody}', { enabled: false }),
      { type: 'container', enabled: false, actions: [set('b', '1')] },
      {
        type: 'http_request',
        method: 'GET',
        server_id: 's',
        path: '/',
        enabled: false,
        disabled_reason: 'Not verified.',
      },
    ],
    { iterations: 2 },
  )
  expect(results.map(({ outcome: one, messages }) => [one, ...messages])).toEqual([
    ['skipped', 'It is disabled.'],
    ['skipped', 'It is disabled.'],
    ['skipped', 'Not verified.'],
  ])
  expect(outcome).toEqual({ iterations: 2, passed: 0, failed: 0, ended: null })
})

const wait = (ms: number, more = {}) => ({
  type: 'delay',
  duration: { distribution: 'constant', ms },
  ...more,
})

test('delays last as long as they say, times the factor; pacing holds back the next iteration', async () => {
  const { results } = await run([wait(1000), wait(30, { is_scaled: false })], {
    document: { think_time_factor: 0.05 },
  })
  expect(results[0]?.durationMs).toBeGreaterThan(45)
  expect(results[0]?.durationMs).toBeLessThan(900)
  expect(results[1]?.durationMs).toBeGreaterThan(25)
  const started = performance.now()
  const pacing = { type: 'pacing', interval: { distribution: 'constant', ms: 60 } }
  await run([pacing, set('a', '1')], { iterations: 3 })
  expect(performance.now() - started).toBeGreaterThan(115)
})

test('a cancelled run ends in the middle of what it does, also where it does nothing but go round', async () => {
  for (const action of [
    { type: 'delay', duration: { distribution: 'constant', ms: 60_000 } },
    { type: 'loop', count: '999999999', actions: [] },
  ]) {
    const aborting = new AbortController()
    setTimeout(() => aborting.abort(), 30)
    const { outcome } = await run([action], { signal: aborting.signal })
    expect(outcome).toEqual({ iterations: 1, passed: 0, failed: 0, ended: 'It was cancelled.' })
  }
})

test('the user waits for its observer', async () => {
  let open = 0
  let most = 0
  await runVirtualUser(planOf([set('a', '1'), set('b', '2')]), {
    finished: async () => {
      most = Math.max(most, ++open)
      await new Promise((resolve) => setTimeout(resolve, 5))
      open--
    },
  })
  expect(most).toBe(1)
})

test('a page action needs a page runner, which sets variables and whose secrets are hidden', async () => {
  const page = { type: 'page', steps: [{ type: 'goto', server_id: 'srv', path: '/${word}' }] }
  expect((await run([page])).results[0]?.failure).toBe(
    'Actions in a page need a browser, and this run has none.',
  )
  const { results } = await run([page], {
    servers: { srv: { base_url: 'http://a.example' } },
    variables: [{ type: 'secret', name: 'word' }],
    secrets: { word: 'sesame' },
    pages: {
      run: async (_action, user) => {
        await user.set('seen', await user.expand('/${word}'))
        const names = [...user.servers.keys()].join()
        return {
          failure: 'no sesame',
          messages: [names],
          exchanges: [],
          screenshot: new Uint8Array([1]),
          trace: null,
          errorClass: null,
          preparationMs: 0,
        }
      },
    },
  })
  expect(results[0]).toMatchObject({ failure: 'no •••', messages: ['srv'], variables: { seen: '/•••' } })
})

test('of the variables that a script sets, no more than 200 are told, and all are set', async () => {
  const { results } = await run([
    { type: 'script', source: 'for (let i = 0; i < 500; i++) vars.set("v" + i, i)' },
    { type: 'set_variable', variable: 'last', value: '${v499}' },
  ])
  expect(Object.keys(results[0]?.variables ?? {})).toHaveLength(200)
  expect(results[1]?.variables).toEqual({ last: '499' })
})
