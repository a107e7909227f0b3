import { expect, test } from 'vitest'
import { profileViewLink } from './view-link.ts'

test('a link leads to the view with its samples', () => {
  expect(profileViewLink('prf_01', {})).toBe('/profiles/prf_01')
  const link = profileViewLink('prf_01', {
    view: 'sandwich',
    function: 'a/b.(*T).Do',
    selection: { labels: ['thread=main', 'route=/a=1&b'], from_ms: 0, to_ms: 12.5 },
  })
  const { pathname, searchParams } = new URL(link, 'https://flamegate.example')
  expect(pathname).toBe('/profiles/prf_01')
  expect(Object.fromEntries(searchParams)).toEqual({
    view: 'sandwich',
    function: 'a/b.(*T).Do',
    labels: 'thread=main&route=%2Fa%3D1%26b',
    from: '0',
    to: '12.5',
  })
  expect([...new URLSearchParams(searchParams.get('labels') ?? '')]).toEqual([
    ['thread', 'main'],
    ['route', '/a=1&b'],
  ])
})

test('a link leads to an object of a heap, and to what changed since another snapshot', () => {
  expect(profileViewLink('prf_01', { view: 'classes', function: '{id, name}', object: 7 })).toBe(
    '/profiles/prf_01?view=classes&function=%7Bid%2C+name%7D&object=7',
  )
  expect(profileViewLink('prf_02', { view: 'classes', baseline: 'prf_01' })).toBe(
    '/profiles/prf_02?view=classes&baseline=prf_01',
  )
})
