import { scenario, type OtherEngine } from '@flamegate/loadtest'
import { expect, test } from 'vitest'
import type { SharedEngineTask } from './engine-command.ts'
import { jmeterCommand, jmeterWords } from './jmeter-command.ts'
import { k6Command } from './k6-command.ts'

function taskOf(
  engine: object,
  load: object,
  share = { index: 0, agents: 1 },
  rest: object = {},
): SharedEngineTask {
  const { profiles } = scenario.parse({
    name: 'Shop',
    profiles: [{ id: 'p', name: 'p', engine, load, ...rest }],
  })
  const [profile] = profiles
  if (profile === undefined || profile.engine.type === 'flamegate')
    throw new TypeError('It is no other engine')
  const of: OtherEngine = profile.engine
  return { profile, engine: of, place: 0, share }
}
const k6 = { type: 'k6', path: 'load.js' }
const jmeter = { type: 'jmeter', path: 'shop.jmx' }
const ramp = { type: 'ramp_up', users: 9, ramp_up_ms: 30_000, plateau_ms: 60_000 }

const loadArguments = (task: SharedEngineTask) =>
  k6Command(task, '/w/load.js')
    .args.join(' ')
    .replace(/^run .* --address {2}--system-tags \S+ /, '')

test('the load of a profile is stages of k6', () => {
  expect(loadArguments(taskOf(k6, ramp))).toBe('--vus 0 --stage 30000ms:9 --stage 60000ms:9 /w/load.js')
  const jump = {
    type: 'custom',
    points: [
      { at_ms: 0, users: 2 },
      { at_ms: 1000, users: 2 },
      { at_ms: 1000, users: 5 },
      { at_ms: 3000, users: 0 },
    ],
  }
  expect(loadArguments(taskOf(k6, jump))).toBe(
    '--vus 2 --stage 1000ms:2 --stage 0ms:5 --stage 2000ms:0 /w/load.js',
  )
})

test('a rate is a script beside the other one, which has all of it but its load', () => {
  const spikes = {
    type: 'spikes',
    base_rate_per_second: 0.5,
    spike_rate_per_second: 20,
    first_spike_ms: 1000,
    spike_ms: 500,
    interval_ms: 2000,
    duration_ms: 2000,
    users_max: 8,
  }
  const task = taskOf(k6, spikes, { index: 0, agents: 2 })
  expect(loadArguments(task)).toBe(
    '--execution-segment 0:1/2 --execution-segment-sequence 0,1/2,1 /w/.flamegate-rate.js',
  )
  const text = k6Command(task, '/w/load.js').files['/w/.flamegate-rate.js'] ?? ''
  const module = { exports: {} }
  const other = { default: 'work', setup: 'prepare', options: { vus: 3, iterations: 5, tags: { a: 'b' } } }
  // oxlint-disable-next-line typescript/no-implied-eval -- as k6 does it
  new Function('module', 'require', text)(module, (path: string) => path === './load.js' && other)
  expect(module.exports).toEqual({
    default: 'work',
    setup: 'prepare',
    options: {
      tags: { a: 'b' },
      scenarios: {
        default: {
          executor: 'ramping-arrival-rate',
          timeUnit: '1000s',
          startRate: 500,
          stages: [
            { duration: '1000ms', target: 500 },
            { duration: '0ms', target: 20_000 },
            { duration: '500ms', target: 20_000 },
            { duration: '0ms', target: 500 },
            { duration: '500ms', target: 500 },
          ],
          preAllocatedVUs: 8,
          maxVUs: 8,
        },
      },
    },
  })
  expect(JSON.parse(JSON.stringify(module.exports))).not.toHaveProperty('options.vus')
})

test('a script with a load of its own keeps it', () => {
  expect(loadArguments(taskOf({ ...k6, has_own_load: true }, ramp))).toBe('/w/load.js')
})

test('k6 takes the part of an agent by itself', () => {
  const of = (index: number) =>
    loadArguments(taskOf({ ...k6, has_own_load: true }, ramp, { index, agents: 3 })).split(' ')[1]
  expect([of(0), of(1), of(2)]).toEqual(['0:1/3', '1/3:2/3', '2/3:1'])
  expect(loadArguments(taskOf(k6, ramp, { index: 0, agents: 3 }))).toContain(
    '--execution-segment-sequence 0,1/3,2/3,1',
  )
})

test('k6 sees the variables of the profile', () => {
  const task = taskOf(k6, ramp, undefined, { variables: { BASE_URL: 'http://shop.invalid' } })
  expect(k6Command(task, '/w/load.js').env).toEqual({ BASE_URL: 'http://shop.invalid' })
})

test('JMeter is told the users of the agent, and what to write of each sample', () => {
  const task = taskOf(jmeter, ramp, { index: 1, agents: 2 }, { variables: { greeting: ' a=b\\c\nüber' } })
  const { args, files } = jmeterCommand(task, '/w/shop.jmx', '/w')
  expect(args.join(' ')).toBe(
    '-n -t /w/shop.jmx -l /w/results.jtl -j /w/jmeter.log -q /w/flamegate.properties',
  )
  const lines = files['/w/flamegate.properties']?.split('\n') ?? []
  expect(lines).toEqual(
    expect.arrayContaining([
      'jmeter.save.saveservice.autoflush=true',
      'users=4',
      'rampup=30',
      'duration=90',
      'agent_index=1',
      'agent_count=2',
      'greeting=\\u0020a=b\\u005cc\\u000a\\u00fcber',
    ]),
  )
})

test('a JMX that makes the same load on each agent is told of', () => {
  const both = taskOf(jmeter, ramp, { index: 0, agents: 2 })
  expect(jmeterWords(both, '<stringProp>5</stringProp>')).toContain('each of 2 agents made the whole')
  expect(jmeterWords(both, '<stringProp>${__P(users,1)}</stringProp>')).toBeUndefined()
  expect(jmeterWords(taskOf(jmeter, ramp), '<stringProp>5</stringProp>')).toBeUndefined()
})
