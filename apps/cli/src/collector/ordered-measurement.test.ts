import type { McpMeasurement } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { parseAllowList } from './allow-list.ts'
import { orderedMeasurement } from './ordered-measurement.ts'

const list = parseAllowList(
  JSON.stringify({
    mcp: {
      notes: {
        command: ['node', 'notes.js'],
        operations: ['look_up', 'add'],
        arguments: { look_up: { id: 7 } },
        settings: { POOL_SIZE: ['4', '8'] },
        seconds_max: 30,
        rps_max: 50,
        concurrent_max: 4,
      },
      shop: { url: 'http://localhost:3000/mcp', takes_arguments: true },
    },
  }),
  'collect.json',
)
const ordered = (measurement: McpMeasurement, server = 'notes') =>
  orderedMeasurement({ mcp_session_id: 'mcs_01', server, measurement }, list).measurement

test('an order is what the platform says, with the tools and arguments of the file', () => {
  expect(ordered({ command: 'profile', samples: 5, operations: ['look_up'] })).toEqual({
    command: 'profile',
    samples: 5,
    operations: ['look_up'],
    arguments: { look_up: { id: 7 } },
  })
  expect(ordered({ command: 'profile', arguments: { find: { text: 'a' } } }, 'shop')).toEqual({
    command: 'profile',
    operations: [],
    arguments: { find: { text: 'a' } },
  })
})

test('limits hold for what a command chooses by itself, too', () => {
  expect(ordered({ command: 'load-test' })).toMatchObject({ concurrent: [4] })
  expect(ordered({ command: 'load-test', rps: 50 })).not.toHaveProperty('concurrent')
})

test.each<[McpMeasurement, string]>([
  [{ command: 'production' }, 'production is not allowed here'],
  [{ command: 'profile', operations: ['remove'] }, 'remove may not be called here; look_up, add may'],
  [{ command: 'profile', arguments: { add: { text: 'x' } } }, 'Arguments of add are not taken here'],
  [{ command: 'profile', seconds: 31 }, 'It may take 30 s at most here'],
  [{ command: 'load-test', rps: 51 }, '50 calls per second are the most here'],
  [{ command: 'capacity', target_rps: 1000 }, '50 calls per second are the most here'],
  [{ command: 'throughput', concurrent: [1, 5] }, '4 calls at a time are the most here'],
  [{ command: 'profile', settings: { NODE_OPTIONS: ['--require=x'] } }, 'NODE_OPTIONS: the file'],
  [{ command: 'profile', settings: { POOL_SIZE: ['4', '9'] } }, 'POOL_SIZE: the file'],
])('an order of %j is refused', (measurement, text) => {
  expect(() => ordered(measurement)).toThrow(text)
})

test('what is not in the file is not measured', () => {
  expect(() => ordered({ command: 'profile' }, 'other')).toThrow('This collector may not measure other.')
})
