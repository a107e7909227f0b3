import { expect, test } from 'vitest'
import { measureCharts } from './measure-charts.ts'

test('measures of one unit are one chart, what there is of something first', () => {
  const charts = measureCharts({
    calls_per_second: [20],
    mean_ns: [3e6],
    p95_ns: [null],
    queued: [4],
    sent_bytes_per_second: [100],
  })
  expect(charts).toEqual([
    { title: 'Amounts', lines: [{ name: 'queued', unit: 'count', values: [4] }] },
    {
      title: 'Times',
      lines: [
        { name: 'mean', unit: 'ns', values: [3e6] },
        { name: 'p95', unit: 'ns', values: [null] },
      ],
    },
    { title: 'Rates', lines: [{ name: 'calls/s', unit: 'per second', values: [20] }] },
    { title: 'Bytes per second', lines: [{ name: 'sent/s', unit: 'bytes per second', values: [100] }] },
  ])
})
