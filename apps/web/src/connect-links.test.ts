import { expect, test } from 'vitest'
import { compactUrl, cursorLink, mcpUrl, vsCodeConfig, vsCodeLink } from './connect-links.ts'

const url = mcpUrl('https://flamegate.example')

test('cursorLink() carries the server entry in base64', () => {
  const link = new URL(cursorLink(compactUrl(url)))
  expect(link.protocol).toBe('cursor:')
  expect(link.searchParams.get('name')).toBe('flamegate')
  expect(JSON.parse(atob(link.searchParams.get('config') ?? ''))).toEqual({
    url: 'https://flamegate.example/mcp/compact',
  })
})

test('vsCodeLink() carries the server entry in JSON, without plus signs', () => {
  const link = vsCodeLink(url)
  expect(link).not.toContain('+')
  expect(JSON.parse(new URL(link).searchParams.get('config') ?? '')).toEqual({
    type: 'http',
    url: 'https://flamegate.example/mcp',
  })
})

test('vsCodeConfig() is what .vscode/mcp.json holds', () => {
  expect(JSON.parse(vsCodeConfig(url))).toEqual({ servers: { flamegate: { type: 'http', url } } })
})
