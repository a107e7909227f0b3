import { expect, test } from 'vitest'
import { pairHeaders } from './pair-headers.ts'

const headers = (text: string) =>
  text.split('; ').map((each) => ({ name: each.split('=')[0] ?? '', value: each.split('=')[1] ?? '' }))

test('pairHeaders() finds a header whatever the case of its name, and tells what is new and gone', () => {
  const pairs = pairHeaders(headers('Host=a; Age=1; Via=x'), headers('host=a; age=2; New=y'))
  expect(pairs.map(({ name, change }) => `${name} ${change}`)).toEqual([
    'Host same',
    'Age changed',
    'Via removed',
    'New added',
  ])
})

test('pairHeaders() pairs those that come again by their values', () => {
  const pairs = pairHeaders(headers('set-cookie=a; set-cookie=b'), headers('set-cookie=b; set-cookie=a'))
  expect(pairs.map(({ change }) => change)).toEqual(['same', 'same'])
})
