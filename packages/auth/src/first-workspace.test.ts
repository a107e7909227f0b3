import { expect, test } from 'vitest'
import { firstWorkspace } from './first-workspace.ts'

test.each([
  ['Ada Lovelace', 'ada-lovelace'],
  ['  Zoë  Müller ', 'zoe-mu-ller'],
  ['李雷', 'team'],
  ['x'.repeat(100), 'x'.repeat(30)],
])('%o gets an address that starts with %s', (name, start) => {
  const { id, slug } = firstWorkspace(name)
  expect(id).toMatch(/^ws_/)
  expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  expect(slug.slice(0, -9)).toBe(start)
})
