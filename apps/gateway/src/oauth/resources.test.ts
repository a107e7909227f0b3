import { expect, test } from 'vitest'
import { siteNames } from '../site-names.ts'
import { createResources } from './resources.ts'

const resources = createResources('https://flamegate.example')

test.each([
  ['https://flamegate.example/mcp', 'https://flamegate.example/mcp'],
  ['https://FLAMEGATE.example:443/mcp/', 'https://flamegate.example/mcp'],
  ['https://flamegate.example/mcp/x/all', 'https://flamegate.example/mcp'],
  ['https://flamegate.example', 'https://flamegate.example/mcp'],
  ['https://flamegate.example/v1/runs', 'https://flamegate.example/v1'],
  ['https://flamegate.example/mcpx', undefined],
  ['https://flamegate.example/v10', undefined],
  ['https://flamegate.example/mcp#fragment', undefined],
  ['http://flamegate.example/mcp', undefined],
  ['https://flamegate.example.evil.example/mcp', undefined],
  ['https://user@evil.example/mcp', undefined],
  ['mcp', undefined],
])('%s means %s', (indicator, audience) => {
  expect(resources.canonical(indicator)).toBe(audience)
})

test('a 401 points to the metadata of the very URL that was called', () => {
  expect(resources.metadataUrl('/mcp/x/all', 'flamegate.example')).toBe(
    'https://flamegate.example/.well-known/oauth-protected-resource/mcp/x/all',
  )
})

/** Clients compare `resource` with what was typed. */
test.each(['127.0.0.1:4170', 'localhost:4170', '[::1]:4170', 'gateway.internal:4170'])(
  'what was typed with %s is the resource there, for the same audience',
  (host) => {
    const publicUrl = 'http://127.0.0.1:4170'
    const local = createResources(publicUrl, siteNames(publicUrl, ['gateway.internal']))
    const metadata = local.metadata('/mcp/w/acme', host)
    expect(metadata).toMatchObject({
      resource: `http://${host}/mcp/w/acme`,
      authorization_servers: [publicUrl],
    })
    expect(local.metadata('', host)?.resource).toBe(`http://${host}/mcp`)
    expect(local.canonical(metadata?.resource ?? '')).toBe(`${publicUrl}/mcp`)
    expect(local.metadataUrl('/mcp', host)).toBe(`http://${host}/.well-known/oauth-protected-resource/mcp`)
  },
)

test('a server at another port, or of another name, is not us', () => {
  const publicUrl = 'http://127.0.0.1:4170'
  const local = createResources(publicUrl)
  for (const host of ['localhost:9999', 'localhost', 'evil.example:4170'])
    expect(local.canonical(`http://${host}/mcp`)).toBeUndefined()
  expect(local.canonical('https://localhost:4170/mcp')).toBeUndefined()
  expect(local.metadata('/mcp', 'evil.example:4170')?.resource).toBe(`${publicUrl}/mcp`)
})
