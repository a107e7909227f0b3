import { expect, test } from 'vitest'
import { inspectorUrl, openInspector } from './inspector.ts'

test.each([
  ['9229', 'http://127.0.0.1:9229'],
  ['localhost:9230', 'http://localhost:9230'],
  ['http://10.0.0.4:9229/json', 'http://10.0.0.4:9229'],
  ['ws://127.0.0.1:9229/0f2c', 'http://127.0.0.1:9229'],
])('inspectorUrl(%j) is %s', (given, url) => {
  expect(inspectorUrl(given)).toBe(url)
})

test('openInspector() says how to open one where there is none', async () => {
  await expect(openInspector('127.0.0.1:9')).rejects.toThrow(
    'node --inspect, or tell one that runs: kill -USR1',
  )
})
