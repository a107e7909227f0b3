import { expect, test } from 'vitest'
import { UsageError } from '../usage-error.ts'
import { mcpAddress } from './mcp-address.ts'

const nothing = { address: undefined, toolsets: undefined, isReadOnly: false }
const site = 'https://flamegate.example'

test.each([
  [{}, '/mcp'],
  [{ address: '/mcp/compact' }, '/mcp/compact'],
  [{ isReadOnly: true }, '/mcp/readonly'],
  [{ address: '/mcp/readonly', isReadOnly: true }, '/mcp/readonly'],
  [{ toolsets: 'benchmarks, profiles' }, '/mcp/x/benchmarks+profiles'],
  [{ address: '/mcp/w/acme', toolsets: 'all', isReadOnly: true }, '/mcp/w/acme/x/all/readonly'],
  [{ address: '/mcp/w/acme/readonly', toolsets: 'live' }, '/mcp/w/acme/x/live/readonly'],
  [
    { address: '/mcp?output_schemas=true', toolsets: 'live', isReadOnly: true },
    '/mcp/x/live/readonly?output_schemas=true',
  ],
])('%j is %s', (asked, address) => {
  expect(mcpAddress(site, { ...nothing, ...asked }).href).toBe(`${site}${address}`)
})

test.each([
  [{ address: 'https://elsewhere.example/mcp' }, 'begins with /mcp'],
  [{ address: '/mcpx' }, 'begins with /mcp'],
  [{ address: '/mcp/../v1' }, 'begins with /mcp'],
  [{ address: '/mcp/x/live', toolsets: 'profiles' }, '--toolsets'],
  [{ address: '/mcp/compact', toolsets: 'profiles' }, '--toolsets'],
  [{ toolsets: 'profiles,' }, '--toolsets'],
  [{ toolsets: '../../v1' }, '--toolsets'],
])('%j is wrong usage', (asked, text) => {
  const read = () => mcpAddress(site, { ...nothing, ...asked })
  expect(read).toThrow(UsageError)
  expect(read).toThrow(text)
})
