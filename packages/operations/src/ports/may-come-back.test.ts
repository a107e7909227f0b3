import { Problem } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { mayComeBack } from './may-come-back.ts'
import { DatabaseInterrupted, DatabaseUnavailable } from './stores.ts'

test.each([
  ['a database that gives no connection', new DatabaseUnavailable('away')],
  ['a database that went away, or is full', new DatabaseInterrupted('full')],
  ['what is unavailable', new Problem('unavailable', 'Try again.')],
  ['a connection that is refused', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
  ['a disk that is full', Object.assign(new Error('could not extend file'), { code: '53100' })],
  ['what one of these caused', new Error('failed', { cause: new DatabaseInterrupted('full') })],
])('%s may come back', (_what, error) => {
  expect(mayComeBack(error)).toBe(true)
})

test.each([
  ['a defect', new TypeError('undefined is not a function')],
  ['what a person did wrong', new Problem('invalid_input', 'Look at it.')],
])('%s does not go away by itself', (_what, error) => {
  expect(mayComeBack(error)).toBe(false)
})
