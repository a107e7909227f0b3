import { expect, test } from 'vitest'
import { type ActionRow, resultTree, rowOf, shownRows } from './result-tree.ts'

function row(
  sequence: number,
  actionId: string,
  path: string[] = [],
  rest: Partial<ActionRow> = {},
): ActionRow {
  return {
    sequence,
    iteration: 1,
    action_id: actionId,
    type: 'http_request',
    name: actionId,
    path,
    outcome: 'passed',
    status: 200,
    recorded_status: null,
    started_at: '2026-01-01T00:00:00.000Z',
    duration_ms: 1,
    sent_bytes: 0,
    received_bytes: 0,
    failure: null,
    cause: null,
    exchanges: [],
    ...rest,
  }
}

const failed = ({ outcome }: ActionRow) => outcome === 'failed'
const everything = { fits: (_row: ActionRow) => true, isFolded: (_row: ActionRow) => false }

function drawn(rows: readonly ActionRow[], settings = everything): string[] {
  return shownRows(resultTree(rows), settings).map(
    ({ row: { action_id, sequence }, depth }) => `${'  '.repeat(depth)}${action_id} ${sequence}`,
  )
}

const login = [
  row(0, 'home'),
  row(1, 'form', ['login']),
  row(2, 'post', ['login'], { outcome: 'failed' }),
  row(3, 'login'),
  row(4, 'end'),
]

test('resultTree() puts what is in a container below it, in order', () => {
  expect(drawn(login)).toEqual(['home 0', 'login 3', '  form 1', '  post 2', 'end 4'])
})

test('resultTree() keeps the rounds of a loop apart', () => {
  const round = (from: number) => [row(from, 'get', ['loop', 'box']), row(from + 1, 'box', ['loop'])]
  expect(drawn([...round(0), ...round(2), row(4, 'loop')])).toEqual([
    'loop 4',
    '  box 1',
    '    get 0',
    '  box 3',
    '    get 2',
  ])
})

test('resultTree() shows what is in a container that has not ended, and keeps iterations apart', () => {
  expect(drawn(login.slice(0, 3))).toEqual(['home 0', '  form 1', '  post 2'])
  const second = row(5, 'login', [], { iteration: 2 })
  expect(drawn([row(4, 'form', ['login']), second])).toEqual(['  form 4', 'login 5'])
})

test('shownRows() keeps what is around a row that fits, and leaves out what is folded in', () => {
  expect(drawn(login, { ...everything, fits: failed })).toEqual(['login 3', '  post 2'])
  const folded = { ...everything, isFolded: ({ action_id }: ActionRow) => action_id === 'login' }
  expect(drawn(login, folded)).toEqual(['home 0', 'login 3', 'end 4'])
})

test('rowOf() finds the row, else the failed one of the action, else its first', () => {
  const rows = [row(0, 'a'), row(1, 'a', [], { outcome: 'failed' }), row(2, 'a'), row(3, 'b')]
  expect(rowOf(rows, 'a', '2')?.sequence).toBe(2)
  expect(rowOf(rows, 'a', undefined)?.sequence).toBe(1)
  expect(rowOf(rows, 'b', '9')?.sequence).toBe(3)
  expect(rowOf(rows, undefined, undefined)).toBeUndefined()
})
