import { Problem } from '@flamegate/contract'
import { describe, expect, test } from 'vitest'
import { createAddressReader } from './address.ts'

const readAddress = createAddressReader()
const read = (url: string, headers: Record<string, string> = {}) => readAddress(url, headers)
const plain = { selection: 'default', isReadOnly: false, hasOutputSchemas: false }

describe('an address says', () => {
  test.each([
    ['/mcp', {}],
    ['/mcp/', {}],
    ['/mcp?utm_source=docs', {}],
    ['/mcp/readonly', { isReadOnly: true }],
    ['/mcp?readonly=true', { isReadOnly: true }],
    ['/mcp?output_schemas=true', { hasOutputSchemas: true }],
    ['/mcp/x/all', { selection: 'all' }],
    ['/mcp/x/all/readonly', { selection: 'all', isReadOnly: true }],
    ['/mcp/x/benchmarks', { selection: ['benchmarks'] }],
    ['/mcp/X/Benchmarks/ReadOnly', { selection: ['benchmarks'], isReadOnly: true }],
    ['/mcp/x/benchmarks+profiles', { selection: ['profiles', 'benchmarks'] }],
    ['/mcp/x/profiles%2Bbenchmarks', { selection: ['profiles', 'benchmarks'] }],
    ['/mcp/x/benchmarks,profiles', { selection: ['profiles', 'benchmarks'] }],
    ['/mcp/x/octoperf_names', { selection: ['octoperf_names'] }],
    ['/mcp/compact', { selection: 'compact' }],
    ['/mcp/compact/readonly', { selection: 'compact', isReadOnly: true }],
    ['/mcp/w/acme', { workspace: 'acme' }],
    ['/mcp/w/acme/checkout', { workspace: 'acme', project: 'checkout' }],
    ['/mcp/w/acme/readonly', { workspace: 'acme', isReadOnly: true }],
    ['/mcp/w/acme/compact', { workspace: 'acme', selection: 'compact' }],
    [
      '/mcp/w/acme/checkout/x/benchmarks/readonly?output_schemas=1',
      {
        workspace: 'acme',
        project: 'checkout',
        selection: ['benchmarks'],
        isReadOnly: true,
        hasOutputSchemas: true,
      },
    ],
    ['/mcp/w/%C3%BCber', { workspace: 'über' }],
  ])('%s', (url, said) => {
    expect(read(url)).toEqual({ ...plain, ...said })
  })

  test.each([
    ['/mcp', { 'x-mcp-toolsets': 'benchmarks, profiles' }, { selection: ['profiles', 'benchmarks'] }],
    ['/mcp', { 'x-mcp-toolsets': 'compact' }, { selection: 'compact' }],
    ['/mcp', { 'x-mcp-toolsets': ' ' }, {}],
    ['/mcp', { 'x-mcp-readonly': 'true' }, { isReadOnly: true }],
    ['/mcp', { 'x-mcp-readonly': 'false' }, {}],
    // The address is typed by the person, the header by the program.
    ['/mcp/x/benchmarks', { 'x-mcp-toolsets': 'all' }, { selection: ['benchmarks'] }],
    ['/mcp/x/all/readonly', { 'x-mcp-readonly': 'false' }, { selection: 'all', isReadOnly: true }],
  ])('%s with %o', (url, headers, said) => {
    expect(read(url, headers)).toEqual({ ...plain, ...said })
  })

  test('the same when it is asked again, also after many others', () => {
    for (let at = 0; at < 3_000; at += 1) read(`/mcp/w/workspace-${at}`)
    expect(read('/mcp/x/all')).toEqual({ ...plain, selection: 'all' })
    expect(read('/mcp/x/all')).toBe(read('/mcp/x/all'))
  })
})

describe('an address that means nothing is refused with those that mean something', () => {
  test.each([
    ['/mcp/x/benchmark', 'toolset_not_found', /no toolset benchmark\..*all, .*benchmarks.*octoperf_names/],
    ['/mcp/x/benchmarks+nothing', 'toolset_not_found', /no toolset nothing\./],
    ['/mcp/x', 'toolset_not_found', /There are: all/],
    ['/mcp/w', 'not_found', /\/mcp\/w\/<workspace>/],
    ['/mcp/everything', 'not_found', /no MCP endpoint at \/mcp\/everything/],
    ['/mcp/x/all/readonly/more', 'not_found', /no MCP endpoint/],
    ['/mcp/w/acme/checkout/else', 'not_found', /no MCP endpoint/],
    ['/mcp/compact/x/all', 'not_found', /no MCP endpoint/],
    ['/mcp/%', 'not_found', /no MCP endpoint/],
  ])('%s', (url, code, text) => {
    const refused = problemOf(() => read(url))
    expect(refused.code).toBe(code)
    expect(refused.message).toMatch(text)
  })

  test('also by header', () => {
    expect(problemOf(() => read('/mcp', { 'x-mcp-toolsets': 'toys' })).code).toBe('toolset_not_found')
  })
})

function problemOf(act: () => unknown): Problem {
  try {
    act()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new RangeError('It was not refused')
}
