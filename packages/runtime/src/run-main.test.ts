import { expect, test } from 'vitest'
import { ConfigError } from './config.ts'
import { explain } from './run-main.ts'

test('an error for the operator is its message; a bug keeps its stack', () => {
  expect(explain(new ConfigError('FLAMEGATE_PORT is odd.'))).toBe(
    '\nFlamegate cannot start. FLAMEGATE_PORT is odd.',
  )
  expect(explain(new TypeError('undefined is not a function'))).toMatch(
    /TypeError: undefined is not a function\n {4}at /,
  )
})
