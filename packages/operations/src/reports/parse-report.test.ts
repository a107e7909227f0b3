import { expect, test } from 'vitest'
import { measuredRun, readingOf } from '../bench-runs/testing/measured-runs.ts'
import type { CallContext } from '../implement.ts'
import { parseReport } from './parse-report.ts'

const { caller, deps } = readingOf([measuredRun({ id: 'bnr_1' }, []), measuredRun({ id: 'bnr_2' }, [])])
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is not used is not there, and fails the test
const context = { caller, deps: { ...deps, guides: [] } } as unknown as CallContext

const parsed = (item: object) =>
  parseReport(context, 'prj_1', {
    name: 'Both',
    bench_result_ids: ['bnr_1', 'bnr_2'],
    items: [{ id: 'one', ...item }],
  })
const chart = (...runs: (number | null)[]) => ({
  type: 'chart',
  lines: runs.map((run) => ({ metric: 'p95', run })),
})

test('items name runs that the report has', async () => {
  expect((await parsed(chart(0, null, 1))).items).toHaveLength(1)
  expect((await parsed({ type: 'distribution', runs: [1, 0] })).items).toHaveLength(1)
})

test('what an item named before is left to it while the report has as many runs', async () => {
  const report = await parsed(chart(0, 1))
  const before: typeof report = JSON.parse(JSON.stringify(report).replaceAll('"run":1', '"run":7'))
  const from = [before]
  const renamed = { ...before, name: 'Renamed' }
  await expect(parseReport(context, 'prj_1', renamed)).rejects.toMatchObject({ code: 'invalid_input' })
  expect(await parseReport(context, 'prj_1', renamed, { from })).toMatchObject({ name: 'Renamed' })
})

test.each([
  [{ type: 'summary', run: 2 }, '/items/0/run'],
  [chart(0, 2), '/items/0/lines/1/run'],
  [{ type: 'distribution', runs: [0, 1, 2] }, '/items/0/runs/2'],
])('and are refused with others: %j', async (item, field) => {
  await expect(parsed(item)).rejects.toMatchObject({ code: 'invalid_input', errors: [{ field }] })
})
