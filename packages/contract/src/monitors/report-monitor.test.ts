import { expect, test } from 'vitest'
import { reportMonitor } from './report-monitor.ts'

const read = (counter_count: number) =>
  reportMonitor.input.safeParse({
    monitor_id: 'mon_01',
    agent: 'eu-1',
    is_reachable: true,
    check: { counters: [], counter_count },
  }).success

test('counters are not more than the database can count', () => {
  expect(read(2 ** 31 - 1)).toBe(true)
  expect(read(2 ** 31)).toBe(false)
})
