import { expect, test } from 'vitest'
import { speedscopeUrl } from './speedscope-url.ts'

test('speedscope is told the link and the title, in its fragment', () => {
  const link = 'https://flamegate.example/v1/objects/ws_1/fil_1?expires=1&signature=a+b'
  const url = speedscopeUrl(link, 'cpu & more')
  expect(url?.startsWith('https://www.speedscope.app/#')).toBe(true)
  const parameters = new URLSearchParams(new URL(url ?? '').hash.slice(1))
  expect([parameters.get('profileURL'), parameters.get('title')]).toEqual([link, 'cpu & more'])
})

test('what has no https cannot be fetched from there', () => {
  expect(speedscopeUrl('http://127.0.0.1:4170/v1/objects/ws_1/fil_1', 'cpu')).toBeUndefined()
})
