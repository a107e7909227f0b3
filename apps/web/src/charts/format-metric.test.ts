import { expect, test } from 'vitest'
import { formatMetric, formatMs } from './format-metric.ts'

test('values are written with their unit', () => {
  expect(formatMetric(402.1, 'per second')).toBe('402.1/s')
  expect(formatMetric(2048, 'bytes per second')).toBe('2 KiB/s')
  expect(formatMetric(2048, 'bytes/s')).toBe('2 KiB/s')
  expect(formatMetric(18_650, '/s')).toBe('18,650/s')
  expect(formatMetric(0.005, 'share')).toBe('0.5 %')
  expect(formatMetric(8, 'users')).toBe('8')
  expect(formatMetric(18.25, 'ms')).toBe('18.25 ms')
  expect(formatMetric(0, 'ms')).toBe('0 ms')
  expect(formatMetric(3, 'count')).toBe('3')
})

test('what was not measured is a dash', () => {
  expect(formatMs(null)).toBe('–')
  expect(formatMs(1250)).toBe('1.25 s')
})
