import { expect, test } from 'vitest'
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
  expect(resources.metadataUrl('/mcp/x/all')).toBe(
    'https://flamegate.example/.well-known/oauth-protected-resource/mcp/x/all',
  )
})
