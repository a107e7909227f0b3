import { describe, expect, test } from 'vitest'
import type { Forge, Profile } from '../ports/index.ts'
import { sourceLink } from './source-link.ts'

const source = {
  originRules: [],
  repository: 'acme/shop',
  forge: null,
  forgeUrl: null,
  commitHash: '8f3c2e1',
} satisfies Profile['source']
const price = { file: '/home/runner/work/shop/shop/src/cart.ts', line: 12, origin: 'User code' }

test.each<[forge: Forge | null, forgeUrl: string | null, url: string]>([
  [null, null, 'https://github.com/acme/shop/blob/8f3c2e1/src/cart.ts#L12'],
  ['github', 'https://git.acme.dev', 'https://git.acme.dev/acme/shop/blob/8f3c2e1/src/cart.ts#L12'],
  ['gitlab', null, 'https://gitlab.com/acme/shop/-/blob/8f3c2e1/src/cart.ts#L12'],
  ['bitbucket', null, 'https://bitbucket.org/acme/shop/src/8f3c2e1/src/cart.ts#lines-12'],
  ['gitea', 'https://codeberg.org', 'https://codeberg.org/acme/shop/src/commit/8f3c2e1/src/cart.ts#L12'],
])('a line on %s at %s', (forge, forgeUrl, url) => {
  expect(sourceLink({ ...source, forge, forgeUrl }, price)).toBe(url)
})

test('without its line it is the file', () => {
  expect(sourceLink(source, { ...price, line: 0 })).toBe(
    'https://github.com/acme/shop/blob/8f3c2e1/src/cart.ts',
  )
})

test('names in a path cannot lead elsewhere', () => {
  const file = '/home/runner/work/shop/shop/src/a b#c?d.ts'
  expect(sourceLink(source, { ...price, file })).toBe(
    'https://github.com/acme/shop/blob/8f3c2e1/src/a%20b%23c%3Fd.ts#L12',
  )
})

describe('there is none', () => {
  test.each<[why: string, change: Partial<NonNullable<Profile['source']>>]>([
    ['repository of the project', { repository: null }],
    ['run with a commit', { commitHash: null }],
  ])('without a %s', (_why, change) => {
    expect(sourceLink({ ...source, ...change }, price)).toBeNull()
  })

  test.each<[what: string, change: Partial<typeof price>]>([
    ['a dependency', { origin: 'left-pad@1.3.0' }],
    ['a file that is outside', { file: '/srv/www/cart.ts' }],
    ['a binary', { file: '', origin: 'Unknown' }],
  ])('for %s', (_what, change) => {
    expect(sourceLink(source, { ...price, ...change })).toBeNull()
  })
})
