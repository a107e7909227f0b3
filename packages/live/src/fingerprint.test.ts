import { expect, test } from 'vitest'
import { fingerprint } from './fingerprint.ts'

// Of https://www.rfc-editor.org/rfc/rfc9923: ids of sessions and items are made of it, and are kept.
test.each([
  ['', 'cbf29ce484222325'],
  ['a', 'af63dc4c8601ec8c'],
  ['foobar', '85944171f73967e8'],
])('%j is %s', (text, digits) => {
  expect(fingerprint(text)).toBe(digits)
})
