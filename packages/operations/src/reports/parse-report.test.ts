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

test.each([
  [{ type: 'summary', run: 2 }, '/items/0/run'],
  [chart(0, 2), '/items/0/lines/1/run'],
  [{ type: 'distribution', runs: [0, 1, 2] }, '/items/0/runs/2'],
])('and are refused with others: %j', async (item, field) => {
  await expect(parsed(item)).rejects.toMatchObject({ code: 'invalid_input', errors: [{ field }] })
})
