import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { filterInput } from './filters.ts'

test('a day from midnight to midnight, where whoever looks is', () => {
  expect(filterInput({ from: '2026-11-20', to: '2026-11-21' })).toMatchObject({
    since: new Date(2026, 10, 20).toISOString(),
    until: new Date(2026, 10, 22).toISOString(),
  })
})

test('the words of the address are what the operation takes, and nonsense is left out', () => {
  const input = filterInput({
    operation: 'get_run',
    user: 'ada@example.com',
    decision: 'maybe',
    from: 'x',
    to: '',
  })
  expect(input).toMatchObject({ operation: 'get_run', user_id: 'ada@example.com' })
  expect(operations.searchAuditLog.input.safeParse({ workspace_id: 'ws_1', ...input }).success).toBe(true)
  expect(input.decision ?? input.since ?? input.until).toBeUndefined()
})
