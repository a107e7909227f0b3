import { expect, test } from 'vitest'
import { catalogue } from './catalogue.ts'
import * as operations from './operations.ts'
import { statedInput } from './stated-input.ts'

test('what may be left out may be null, too', () => {
  const given = { repository: 'acme/checkout', branch: null, limit: null, cursor: '' }
  expect(statedInput(operations.listRuns, given)).toEqual({ repository: 'acme/checkout' })
})

test('null stays where it is a value, where something is needed, and where nothing is known', () => {
  const nullable = { project_id: null, repository: null, nonsense: null }
  expect(statedInput(operations.updateProject, nullable)).toBe(nullable)
})

test('null is never taken for leave to do it', () => {
  const guarded = { virtual_user_id: 'vu_1', patch: [], if_version: null, dry_run: null }
  expect(statedInput(operations.patchVirtualUser, guarded)).toBe(guarded)
})

test('what says something is the same input, and not looked into', () => {
  const input = { repository: '', branch: '', tags: [null] }
  expect(statedInput(operations.listRuns, input)).toBe(input)
  expect([null, 'text', [null]].map((each) => statedInput(operations.listRuns, each))).toEqual([
    null,
    'text',
    [null],
  ])
})

test.each(catalogue.map((operation) => [operation.id, operation] as const))(
  'each example of %s says all that it says',
  (_id, operation) => {
    for (const { input } of operation.examples) expect(statedInput(operation, input)).toBe(input)
  },
)
