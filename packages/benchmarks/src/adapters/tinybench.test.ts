import { describe, expect, test } from 'vitest'
import { readBenchmarkResults } from '../read-benchmark-results.ts'
import { sample, utf8 } from '../testing/sample.ts'

function read(rows: unknown[]) {
  return readBenchmarkResults(utf8(JSON.stringify(rows)))
}

describe('version 6', () => {
  test('tasks, the rows of the table and the printed table say the same', () => {
    const [tasks, table, printed] = ['tasks.json', 'table.json', 'table.txt'].map(
      (file) => readBenchmarkResults(sample('tinybench', file)).results,
    )
    expect(printed).toEqual(table)
    expect(tasks?.map(({ uri }) => uri)).toEqual(['sort', 'sum | reduce'])
    expect(table?.map(({ uri }) => uri)).toEqual(['sort', 'sum | reduce'])
    for (const [index, { value, stats, metrics }] of (table ?? []).entries()) {
      // The table is rounded to whole ns, its margin to 0.01 %.
      expect(Math.abs(value - (tasks?.[index]?.value ?? NaN))).toBeLessThan(1)
      expect((stats.stdev ?? NaN) / (tasks?.[index]?.stats.stdev ?? NaN)).toBeCloseTo(1, 3)
      expect(stats.rounds).toBe(tasks?.[index]?.stats.rounds)
      expect(metrics[0]?.value).toBe(Math.round(tasks?.[index]?.metrics[0]?.value ?? NaN))
    }
  })

  test('a task that threw is told', () => {
    expect(readBenchmarkResults(sample('tinybench', 'tasks.json')).warnings).toEqual([
      '$[2]: "broken" did not finish.',
    ])
    expect(readBenchmarkResults(sample('tinybench', 'table.txt')).warnings).toEqual([
      'line 6: "broken" has no latency: it did not finish.',
    ])
  })
})

describe('versions before', () => {
  test('2: the table has the mean only, the result of a task is flat', () => {
    const row = {
      'Task Name': 'a',
      'ops/sec': '2,500,000',
      'Average Time (ns)': 400,
      Margin: '±2.00%',
      Samples: 101,
    }
    const [result] = read([row]).results
    expect(result).toMatchObject({ value: 400, statistic: 'mean', stats: { rounds: 101 } })
    // 2 % of 400 is 1.984 (Student's t for 100) standard errors.
    expect(result?.stats.stdev).toBeCloseTo((8 / 1.984) * Math.sqrt(101), 1)
    expect(result?.metrics).toMatchObject([{ name: 'throughput', value: 2_500_000 }])
    const task = { name: 'a', result: { hz: 2500, mean: 0.4, rme: 2, sd: 0.1, samples: [0.3, 0.4, 0.5] } }
    expect(read([task]).results[0]).toMatchObject({ value: 400_000, statistic: 'median' })
  })

  test('old Node.js centres the cells of the printed table', () => {
    const table = `
┌─────────┬───────────────┬─────────────┬───────────────────┬──────────┬─────────┐
│ (index) │   Task Name   │   ops/sec   │ Average Time (ns) │  Margin  │ Samples │
├─────────┼───────────────┼─────────────┼───────────────────┼──────────┼─────────┤
│    0    │ 'faster task' │ '1,810,236' │ 552.4139857896414 │ '±0.18%' │ 905119  │
│    1    │ 'slower task' │    '828'    │ 1207382.783832320 │ '±7.07%' │   83    │
└─────────┴───────────────┴─────────────┴───────────────────┴──────────┴─────────┘
`
    const { results, warnings } = readBenchmarkResults(utf8(table))
    expect(results.map(({ uri, stats }) => [uri, stats.mean, stats.rounds])).toEqual([
      ['faster task', 552.4139857896414, 905_119],
      ['slower task', 1_207_382.78383232, 83],
    ])
    expect(warnings).toEqual([])
  })

  test('3 names its columns in full', () => {
    const row = {
      'Task name': 'a',
      'Latency average (ns)': '412.50 ± 1.50%',
      'Latency median (ns)': '400.00 ± 5.00',
      'Throughput average (ops/s)': '2450000 ± 0.10%',
      Samples: 1000,
    }
    expect(read([row]).results[0]).toMatchObject({ value: 400, statistic: 'median', stats: { mean: 412.5 } })
  })
})
