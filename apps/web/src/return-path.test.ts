import { expect, test } from 'vitest'
import { pageAfterLogIn, safeReturnPath } from './return-path.ts'

test('safeReturnPath() keeps a path of this origin with its query', () => {
  expect(safeReturnPath('/runs/run_1?x=1#top')).toBe('/runs/run_1?x=1#top')
})

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'runs',
  '',
  undefined,
])('safeReturnPath() makes the home page of %j', (value) => {
  expect(safeReturnPath(value)).toBe('/')
})

test('pageAfterLogIn() goes on with the waiting authorization request first', () => {
  expect(pageAfterLogIn({ interaction: 'a/b', return_to: '/runs' })).toBe('/oauth/interaction/a%2Fb')
  expect(pageAfterLogIn({ return_to: '/runs' })).toBe('/runs')
  expect(pageAfterLogIn({})).toBe('/')
})
