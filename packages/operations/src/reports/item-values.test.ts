import { benchReport, type ReportItemType } from '@flamegate/loadtest'
import { describe, expect, test } from 'vitest'
import {
  measuredRun,
  namedAction,
  readingOf,
  secondsAfterStart,
  type MeasuredRun,
} from '../bench-runs/testing/measured-runs.ts'
import { itemValues } from './item-values.ts'
import type { ItemValues } from './items/item-reading.ts'

/** The values of an item of a report of these runs, of which those that are not measured were deleted. */
async function valuesOf<Type extends ReportItemType>(
  item: { type: Type } & Record<string, unknown>,
  measured: readonly MeasuredRun[],
  ids: readonly string[] = measured.map(({ run }) => run.id),
): Promise<ItemValues<Type>> {
  const report = benchReport.parse({
    name: 'Report',
    bench_result_ids: ids,
    trend: {},
    items: [{ id: 'item', ...item }],
  })
  const [parsed] = report.items
  if (parsed === undefined) throw new TypeError('There is no item')
  const at = { reading: readingOf(measured), projectId: 'prj_1', report, pointsMax: 100 }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the type of the item
  return (await itemValues(parsed, at)) as ItemValues<Type>
}

const eachSecond = (seconds: number, count: number) =>
  Array.from({ length: seconds }, (_, second) => ({ second, count }))

test('phases of actions of one name are told apart', async () => {
  const graphql = measuredRun(
    {},
    [
      { second: 0, action: 0, count: 1, waitMs: 5 },
      { second: 0, action: 1, count: 1, waitMs: 50 },
      { second: 0, action: 2, count: 1, waitMs: 20 },
    ],
    { actions: Array.from({ length: 3 }, () => namedAction('POST /graphql')) },
  )
  const { rows } = await valuesOf({ type: 'phases' }, [graphql])
  expect(rows.map(({ action, name }) => [action, name])).toEqual([
    [1, 'POST /graphql (2)'],
    [2, 'POST /graphql (3)'],
    [0, 'POST /graphql'],
  ])
})

describe('of several runs, of which one was deleted', () => {
  const before = measuredRun({ id: 'bnr_1', name: 'Before' }, eachSecond(10, 2))
  const after = measuredRun({ id: 'bnr_3', name: 'After' }, eachSecond(10, 3))
  const ids = ['bnr_1', 'bnr_2', 'bnr_3']
  const lines = [0, 1, 2].map((run) => ({ metric: 'rate', run }))

  test('a chart has the lines of the others', async () => {
    const values = await valuesOf({ type: 'chart', lines }, [before, after], ids)
    expect(values.lines.map(({ name }) => name)).toEqual(['rate, Before', 'rate, After'])
    expect(values.runs_left_out).toBe(1)
  })

  test('a chart still names the one that is left', async () => {
    const values = await valuesOf({ type: 'chart', lines: lines.slice(0, 2) }, [before], ids)
    expect(values.lines.map(({ name }) => name)).toEqual(['rate, Before'])
  })

  test('a distribution has the others', async () => {
    const values = await valuesOf({ type: 'distribution', runs: [0, 1, 2] }, [before, after], ids)
    expect(values.runs.map(({ run, count }) => [run.name, count])).toEqual([
      ['Before', 20],
      ['After', 30],
    ])
    expect(values.runs_left_out).toBe(1)
  })

  test('what is only of those that are gone says so', async () => {
    const refused = {
      code: 'bench_result_not_found',
      message: expect.stringContaining('The runs bnr_1, bnr_2 were deleted'),
    }
    const both = { type: 'chart', lines: lines.slice(0, 2) } as const
    await expect(valuesOf(both, [after], ids)).rejects.toMatchObject(refused)
    await expect(valuesOf({ type: 'distribution', runs: [0, 1] }, [after], ids)).rejects.toMatchObject(
      refused,
    )
  })
})

test('seconds beyond the end of a run are none of its rate', async () => {
  const stopped = measuredRun(
    { durationMs: 60_000, stopAskedAt: secondsAfterStart(5), endedAt: secondsAfterStart(5) },
    eachSecond(5, 10),
  )
  const { numbers } = await valuesOf({ type: 'summary', metrics: ['rate'], to_second: 600 }, [stopped])
  expect(numbers).toMatchObject([{ metric: 'rate', value: 10 }])
})

test('totals have what was told long after the load was to end, charts do not', async () => {
  // A program that took long to start, and went on for as long.
  const late = measuredRun({ endedAt: secondsAfterStart(26) }, [
    ...eachSecond(10, 10),
    { second: 25, count: 1 },
  ])
  const { numbers } = await valuesOf({ type: 'summary', metrics: ['count', 'rate'] }, [late])
  expect(numbers.map(({ value }) => value)).toEqual([101, 10.1])
  expect((await valuesOf({ type: 'table' }, [late])).total?.count).toBe(101)
  expect((await valuesOf({ type: 'distribution' }, [late])).runs[0]?.count).toBe(101)
  const { lines } = await valuesOf({ type: 'trend', metrics: ['count'] }, [late])
  expect(lines[0]?.points.map(({ value }) => value)).toEqual([101])
  const chart = await valuesOf({ type: 'chart', lines: [{ metric: 'rate' }] }, [late])
  expect(chart.seconds.at(-1)).toBe(14)
})
