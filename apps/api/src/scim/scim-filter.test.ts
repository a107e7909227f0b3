import { expect, test } from 'vitest'
import { readFilter } from './scim-filter.ts'

test.each([
  ['userName eq "Ada@example.com"', { userName: 'Ada@example.com' }],
  ['username EQ "ada"', { userName: 'ada' }],
  ['externalId eq "00u1"', { externalId: '00u1' }],
  ['id eq "usr_01"', { userId: 'usr_01' }],
  ['externalId eq "a \\" b"', { externalId: 'a " b' }],
  ['emails.value eq "ada@example.com"', { email: 'ada@example.com' }],
  ['emails[type eq "work"].value eq "ada@example.com"', { email: 'ada@example.com' }],
  ['userName eq "ada" and externalId eq "00u1"', { userName: 'ada', externalId: '00u1' }],
])('%s is understood', (filter, query) => {
  expect(readFilter(filter)).toEqual(query)
})

test.each([
  'userName sw "a"',
  'userName pr',
  'userName eq 5',
  'userName eq "a" or userName eq "b"',
  'userName eq "a" and userName eq "b"',
  'not (userName eq "a")',
  'active eq true',
  'emails[type eq "home"].value eq "a"',
  'userName',
  'userName eq "a',
  'userName eq "a" and ',
  'userName eq "a"and id eq "b"',
  'userName eq "\\x"',
  '',
])('%j is refused', (filter) => {
  expect(() => readFilter(filter)).toThrow(
    expect.objectContaining({ status: 400, scimType: 'invalidFilter' }),
  )
})

test('texts that would keep a regular expression busy are refused at once', () => {
  for (const filter of [
    'a eq "' + '\\'.repeat(990),
    '('.repeat(1000),
    ' '.repeat(1000),
    'id eq "a" and '.repeat(70),
  ])
    expect(() => readFilter(filter)).toThrow(expect.objectContaining({ scimType: 'invalidFilter' }))
})
