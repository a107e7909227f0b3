import { gzipSync } from 'node:zlib'
import { readRequestLog } from '@flamegate/loadtest/request-log'
import { actionCounters, profileCounters, type ActionCounter, type Tick } from '@flamegate/series'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fakeEngines, jtlRows, k6Points } from '../../testing/fake-engines.ts'
import type { ShardPlan } from '../load-plan.ts'
import { OtherEngines, type EngineSurroundings } from './other-engines.ts'

const load = { type: 'ramp_up', users: 3, plateau_ms: 60_000 }
const whole = { index: 0, agents: 1 }

function planOf(...profiles: object[]): ShardPlan {
  return {
    project_id: 'prj_1',
    bench_result_id: 'bnr_1',
    agent_group: 'default',
    slot: 0,
    seed: 7,
    scenario: {
      name: 'Shop',
      profiles: profiles.map((profile, index) => ({ id: `p${index}`, name: `p${index}`, load, ...profile })),
    },
    virtual_users: [],
    servers: [],
    variables: [],
    secrets: {},
    actions: [],
    files: [],
    hosts: [],
    allowed_targets: [],
  }
}

type Declared = Parameters<EngineSurroundings['declare']>[0][number]

/** Engines that begin at once. */
async function begun(
  plan: ShardPlan,
  scripts: Record<string, string>,
  rest: Partial<EngineSurroundings> = {},
) {
  const installed = await fakeEngines()
  const told = {
    declared: [] as Declared[],
    failures: [] as Parameters<EngineSurroundings['onFailure']>[0][],
    log: [] as string[],
    frames: [] as Uint8Array[],
  }
  const files = new Map(Object.entries(scripts).map(([path, text]) => [path, new TextEncoder().encode(text)]))
  const engines = new OtherEngines(plan, files, {
    installed,
    // Places of the run, of which others have the first hundred.
    declare: async (actions) => actions.map((action) => 99 + told.declared.push(action)),
    onFailure: (failure) => told.failures.push(failure),
    log: (words) => told.log.push(words),
    requests: { add: (frame) => told.frames.push(frame), lose: () => {} },
    firstThread: 2,
    ...rest,
  })
  onTestFinished(() => engines.end())
  await engines.ready
  engines.begin(Date.now(), whole)
  return { engines, told }
}

const sum = (ticks: readonly Tick[], counter: ActionCounter) =>
  Object.fromEntries(
    [
      ...Map.groupBy(
        ticks.flatMap(({ actions }) => actions),
        ({ action }) => action,
      ),
    ].map(([action, all]) => [
      action,
      all.reduce((total, { counters }) => total + (counters[actionCounters.indexOf(counter)] ?? 0), 0),
    ]),
  )
const ofProfile = (ticks: readonly Tick[], profile: number, counter: (typeof profileCounters)[number]) =>
  ticks.map(({ profiles }) => profiles[profile]?.[profileCounters.indexOf(counter)] ?? 0)

test('what k6 tells becomes seconds of the run, with the places that its actions were given', async () => {
  const script = `${k6Points}
    point('vus', 3)
    request('http://shop.invalid/', 12)
    request('http://shop.invalid/', 14)
    request('http://shop.invalid/pay?token=abc', 30, { status: 500, group: '::checkout' })
    point('group_duration', 31, { group: '::checkout' })
    point('iterations', 1)
    console.error('level=info msg="hello"')
    pause(1500)
  `
  const { engines, told } = await begun(planOf({ engine: { type: 'k6', path: 'a/load.js' } }), {
    'a/load.js': script,
  })
  const { words } = await engines.done
  expect(told.declared).toMatchObject([
    { profile: 0, type: 'http_request', name: 'GET http://shop.invalid/', path: [] },
    { profile: 0, type: 'http_request', name: 'GET http://shop.invalid/pay?token=•••', path: ['checkout'] },
    { profile: 0, type: 'container', name: 'checkout', path: [] },
  ])
  const ticks = engines.takeTicks()
  expect(sum(ticks, 'count')).toEqual({ 100: 2, 101: 1, 102: 1 })
  expect(sum(ticks, 'error_status_5xx')).toEqual({ 100: 0, 101: 1, 102: 0 })
  expect(ticks.map(({ second }) => second)).toEqual(ticks.map((_tick, index) => index))
  expect(Math.max(...ofProfile(ticks, 0, 'users'))).toBe(3)
  expect(ofProfile(ticks, 0, 'users').at(-1)).toBe(0)
  expect(ofProfile(ticks, 0, 'iterations').reduce((total, each) => total + each)).toBe(1)
  expect(told.failures).toMatchObject([{ action: 101, profile: 0, errorClass: 'status_5xx' }])
  expect(JSON.stringify(told.failures)).not.toContain('abc')
  expect(told.log).toContain('k6: level=info msg="hello"')
  expect(words).toEqual([])
})

test('what JMeter writes is read while it is written, and what it makes is told from its end', async () => {
  const script = `${jtlRows}
    row('Home', 20, { users: 2 })
    row('Login', 40, { code: 404, message: 'Not Found', users: 2 })
    row('Checkout', 60, { message: 'Number of samples in transaction : 2', url: 'null', users: 2 })
    pause(5500).then(() => row('Home', 10, { users: 1 }))
  `
  const { engines, told } = await begun(planOf({ engine: { type: 'jmeter', path: 'shop.jmx' } }), {
    'shop.jmx': script,
  })
  const before = await vi.waitUntil(
    () => {
      const ticks = engines.takeTicks()
      return ticks.some(({ actions }) => actions.length > 0) && ticks
    },
    { timeout: 20_000 },
  )
  expect(sum(before, 'count')).toEqual({ 100: 1, 101: 1, 102: 1 })
  await engines.done
  expect(told.declared.map(({ type, name }) => `${type} ${name}`)).toEqual([
    'http_request Home',
    'http_request Login',
    'container Checkout',
  ])
  expect(sum(engines.takeTicks(), 'count')).toEqual({ 100: 1 })
})

test('each profile has its own engine, files and variables, and begins after its delay', async () => {
  const script = `${k6Points}
    const { readFileSync } = require('node:fs')
    console.error(process.env.GREETING + readFileSync(__dirname + '/users.csv', 'utf8') + Object.keys(process.env).filter((name) => /FLAMEGATE|VITEST|SECRET/.test(name)))
    request('http://shop.invalid/' + process.env.GREETING, 5)
  `
  const engine = { type: 'k6', path: 'a/load.js', files: ['a/users.csv'] }
  vi.stubEnv('FLAMEGATE_TOKEN', 'fg_secret')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { engines, told } = await begun(
    planOf(
      { engine, variables: { GREETING: 'one' } },
      { engine, variables: { GREETING: 'two' }, start_delay_ms: 2000 },
    ),
    { 'a/load.js': script, 'a/users.csv': ',ada,' },
  )
  await engines.done
  const ticks = engines.takeTicks()
  expect(told.log).toEqual(expect.arrayContaining(['k6: one,ada,', 'k6: two,ada,']))
  const secondOf = (profile: number) =>
    ticks.find(({ actions }) => actions.some((action) => action.profile === profile))?.second ?? -1
  expect(secondOf(0)).toBeGreaterThanOrEqual(0)
  expect(secondOf(1)).toBeGreaterThanOrEqual(2)
})

const forever = `${k6Points}
  process.on('SIGTERM', () => {})
  setInterval(() => request('http://shop.invalid/', 5), 20)
`

test('one that does not end is ended when it is told to stop, and what it told counts', async () => {
  const { engines } = await begun(planOf({ engine: { type: 'k6', path: 'load.js' } }), { 'load.js': forever })
  const first = await vi.waitUntil(
    () => {
      const ticks = engines.takeTicks()
      return ticks.some(({ actions }) => actions.length > 0) && ticks
    },
    { timeout: 20_000 },
  )
  engines.stop()
  await expect(engines.done).resolves.toEqual({ words: [] })
  expect(sum([...first, ...engines.takeTicks()], 'count')[100]).toBeGreaterThan(10)
})

test('one that goes on after the load of its profile is ended', async () => {
  const short = { type: 'ramp_up', users: 3, plateau_ms: 500 }
  const { engines } = await begun(planOf({ engine: { type: 'k6', path: 'load.js' }, load: short }), {
    'load.js': forever,
  })
  await expect(engines.done).resolves.toEqual({ words: [] })
})

test('every request is a row of the files of the run, where they are asked for', async () => {
  const script = `${k6Points}
    point('vus', 3)
    request('http://shop.invalid/?token=abc', 12, { user: 7, iteration: 4 })
    point('group_duration', 31, { group: '::checkout' })
    request('http://shop.invalid/', 14, { status: 0 })
    request('http://shop.invalid/?token=abc', 16, { user: 9 })
  `
  const plan = planOf({ engine: { type: 'k6', path: 'load.js' } })
  const none = await begun(plan, { 'load.js': script })
  await none.engines.done
  expect(none.told.frames).toEqual([])
  const { engines, told } = await begun(
    { ...plan, scenario: { ...plan.scenario, result_files: ['jtl'] } },
    { 'load.js': script },
  )
  await engines.done
  const rows = [...readRequestLog(gzipSync(Buffer.concat(told.frames)))]
  expect(rows).toMatchObject([
    { thread: 2, action: 100, responseUs: 12_000, serviceUs: 12_000, status: 200, user: 0, iteration: 4 },
    { action: 102, serviceUs: -1, status: 0, errorClass: 'other', user: -1, iteration: -1 },
    { action: 100, user: 1, url: 'http://shop.invalid/?token=•••', allUsers: 3, profileUsers: 3 },
  ])
  expect(rows.every(({ endUs }) => endUs > 0 && endUs < 30_000_000)).toBe(true)
})

test('JMeter that says that it cannot run a plan has failed, however it ends', async () => {
  const script =
    "console.log('Error in NonGUIDriver IllegalArgumentException: no such element'); for (let i = 0; i < 20; i++) console.log('detail')"
  const { engines } = await begun(planOf({ engine: { type: 'jmeter', path: 'shop.jmx' } }), {
    'shop.jmx': script,
  })
  await expect(engines.done).rejects.toThrow('JMeter ended with 0. Error in NonGUIDriver Illegal')
})

test('one that fails says why, and ends the others', async () => {
  const { engines } = await begun(
    planOf({ engine: { type: 'k6', path: 'bad.js' } }, { engine: { type: 'k6', path: 'load.js' } }),
    { 'bad.js': "console.error('SyntaxError: no such thing'); process.exit(107)", 'load.js': forever },
  )
  await expect(engines.done).rejects.toThrow('k6 ended with 107. SyntaxError: no such thing')
})

test('crossed thresholds of a script are no failure, and are told', async () => {
  const { engines } = await begun(planOf({ engine: { type: 'k6', path: 'load.js' } }), {
    'load.js': `${k6Points} request('http://shop.invalid/', 5); process.exitCode = 99`,
  })
  expect((await engines.done).words).toEqual(['Thresholds in the options of load.js were crossed.'])
})

test('seconds wait until the platform knows what is in them', async () => {
  let asked = 0
  const { engines } = await begun(
    planOf({ engine: { type: 'k6', path: 'load.js' } }),
    { 'load.js': `${k6Points} request('http://shop.invalid/', 5)` },
    { declare: async (actions) => (++asked < 3 ? undefined : actions.map(() => 7)) },
  )
  await engines.done
  expect(asked).toBe(3)
  expect(sum(engines.takeTicks(), 'count')).toEqual({ 7: 1 })
})

test('nothing runs where the owner of the machine has not allowed it', async () => {
  const plan = planOf({ engine: { type: 'k6', path: 'load.js' } })
  const installed = await fakeEngines()
  const forbidden = installed.map((engine) => ({ ...engine, isAllowed: false }))
  await expect(begun(plan, { 'load.js': forever }, { installed: forbidden })).rejects.toThrow(
    'The owner of this agent does not allow k6',
  )
})

test('a script that is gone is told before the run begins', async () => {
  await expect(begun(planOf({ engine: { type: 'k6', path: 'load.js' } }), {})).rejects.toThrow(
    'The project file load.js is not there',
  )
})
