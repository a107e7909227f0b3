import { expect, test } from 'vitest'
import { historyColumns } from './history-columns.ts'
import { alertMarks, levelLines } from './history-marks.ts'

function point(run_id: string, branch: string, second: number, value: number) {
  return { run_id, branch, at: new Date(second * 1000).toISOString(), value }
}

const columns = historyColumns([
  point('run_1', 'main', 10, 100),
  point('run_2', 'main', 20, 101),
  point('run_3', 'feat', 25, 90),
  point('run_4', 'main', 30, 120),
  point('run_5', 'main', 40, 121),
  point('run_6', 'main', 50, 80),
])

test('levelLines() steps at each change, from the first run of the branch to its last', () => {
  const changes = [
    { branch: 'main', run_id: 'run_6', before: 120, after: 80 },
    { branch: 'main', run_id: 'run_4', before: 100, after: 120 },
  ]
  expect(levelLines(columns, changes)).toEqual([
    { branch: 0, fromTime: 10, toTime: 30, value: 100 },
    { branch: 0, fromTime: 30, toTime: 50, value: 120 },
    { branch: 0, fromTime: 50, toTime: 50, value: 80 },
  ])
})

test('levelLines() of a calm history, or of runs that are not shown, is empty', () => {
  expect(levelLines(columns, [])).toEqual([])
  expect(levelLines(columns, [{ branch: 'main', run_id: 'run_0', before: 1, after: 2 }])).toEqual([])
  expect(levelLines(columns, [{ branch: 'gone', run_id: 'run_4', before: 1, after: 2 }])).toEqual([])
})

test('alertMarks() finds the point of each alert', () => {
  const alert = { branch: 'main', run_id: 'run_4', verdict: 'regressed', state: 'open' }
  expect(alertMarks(columns, [alert, { ...alert, run_id: 'run_0' }])).toEqual([
    { column: 3, isWorse: true, isOpen: true },
  ])
})
