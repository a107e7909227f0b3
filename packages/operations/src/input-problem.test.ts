import { expect, test } from 'vitest'
import { fieldWithNul } from './input-problem.ts'

test('a zero character is found by its path', () => {
  expect(fieldWithNul({ logs: [{ text: ['fine', 'a\0'] }] })).toBe('logs.0.text.1')
  expect(fieldWithNul({ logs: [{ text: ['fine', 1] }] })).toBeUndefined()
})

test.each([1000, 100_000])('what is nested %i deep is refused, and not the end of the stack', (depth) => {
  const nested: unknown = JSON.parse('[{"a":'.repeat(depth) + '1' + '}]'.repeat(depth))
  expect(() => fieldWithNul(nested)).toThrow(/nested more than 500 deep/)
})
