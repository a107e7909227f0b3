import { scenario } from '@flamegate/loadtest'
import { expect, test } from 'vitest'
import type { LoadGenerator } from '../ports/index.ts'
import { generatorChecks } from './generator-checks.ts'

const now = new Date()
const known = { virtualUsers: new Map(), files: new Set<string>() }
const engineOf = { k6: 'load.js', jmeter: 'plan.jmx' }

function wordsFor(type: 'k6' | 'jmeter', engines: LoadGenerator['engines']) {
  const engine = { type, path: engineOf[type] }
  const load = { type: 'ramp_up', users: 1, plateau_ms: 1000 }
  const parsed = scenario.parse({
    name: 'Scripts',
    profiles: [{ id: 'p1', name: 'script', engine, load, agent_group: 'eu' }],
  })
  const agent = {
    name: 'eu-1',
    agentGroup: 'eu',
    lastSeenAt: now,
    hasLeft: false,
    benchResultId: null,
    engines,
    facts: {},
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody looks at more of it
  const checks = generatorChecks(parsed, known, [agent as unknown as LoadGenerator], now)
  return checks
    .filter(({ code }) => code !== 'ok')
    .map(({ message, advice }) => `${message} ${advice ?? ''}`.trim())
}

test('engines are called by their names, and their option by that of the program', () => {
  expect(wordsFor('jmeter', [])).toEqual([
    'No agent of the group eu that is online has JMeter. Start an agent on a machine that has JMeter, with --allow-engine jmeter: scripts can do there whatever that user can.',
  ])
  const shut = { type: 'jmeter', version: null, is_allowed: false } as const
  expect(wordsFor('jmeter', [shut])[0]).toMatch(
    /^eu-1 has JMeter, and its owner has not allowed scripts of it\./,
  )
  expect(wordsFor('jmeter', [{ ...shut, is_allowed: true }])[0]).toMatch(
    /^JMeter runs on 1 of 1 agents of the group eu\./,
  )
  expect(wordsFor('k6', [])[0]).toMatch(/^No agent of the group eu that is online has k6\./)
})
