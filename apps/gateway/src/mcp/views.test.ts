import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway } from '../test-gateway.ts'
import type { TestGateway } from '../test-gateway.ts'
import { legacy, modern, send } from './test-requests.ts'
import type { Sent } from './test-requests.ts'

const uri = 'ui://flamegate/flame-graph'
const mimeType = 'text/html;profile=mcp-app'
const showsViews = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [mimeType] } } }
const html = '<title>Flame graph</title>'

let gateway: TestGateway
let gatewayWithoutViews: TestGateway
let webRoot: string

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'flamegate-web-'))
  await mkdir(join(webRoot, 'mcp-app'))
  await writeFile(join(webRoot, 'index.html'), '<title>Flamegate</title>')
  await writeFile(join(webRoot, 'mcp-app/flame-graph.html'), html)
  gateway = await startTestGateway('http://localhost', { webRoot })
  gatewayWithoutViews = await startTestGateway('http://localhost')
})
afterAll(async () => {
  await gateway.close()
  await gatewayWithoutViews.close()
  await rm(webRoot, { recursive: true })
})

/** Names of the tools that are listed with a view. */
async function withViews(sent: Sent, at = gateway): Promise<unknown[]> {
  const { result } = await send(at, sent)
  const tools = result?.['tools']
  if (!Array.isArray(tools)) throw new TypeError('No tools are listed')
  return tools.flatMap(({ name, _meta }) => (_meta?.ui?.resourceUri === uri ? [name] : []))
}

const viewed = ['compare_profiles', 'generate_flamegraph', 'query_flamegraph']

test('clients of 2026-07-28 are told of views when they show them', async () => {
  expect(await withViews(modern('tools/list', {}, showsViews))).toEqual(viewed)
  expect(await withViews(modern('tools/list'))).toEqual([])
})

test('so are they where the SDK answers', async () => {
  const bySdk = { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } }
  expect(await withViews(modern('tools/list', bySdk, showsViews))).toEqual(viewed)
  expect(await withViews(modern('tools/list', bySdk))).toEqual([])
})

test('clients before it are told of them, because what they show is not known', async () => {
  expect(await withViews(legacy('tools/list'))).toEqual(viewed)
})

test('nobody is told of views that were not built', async () => {
  expect(await withViews(legacy('tools/list'), gatewayWithoutViews)).toEqual([])
  expect(await withViews(modern('tools/list', {}, showsViews), gatewayWithoutViews)).toEqual([])
})

test.each([
  ['before 2026-07-28', legacy],
  ['of 2026-07-28', modern],
])(
  'the view is read as a resource with a policy that allows no origin, by clients %s',
  async (_era, make) => {
    const { result } = await send(gateway, make('resources/read', { uri }))
    const meta = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } }
    expect(result?.['contents']).toEqual([{ uri, mimeType, text: html, _meta: meta }])
    const list = await send(gateway, make('resources/list'))
    expect(list.result?.['resources']).toContainEqual(expect.objectContaining({ uri, mimeType, _meta: meta }))
  },
)

test('the server says that it has views', async () => {
  const { result } = await send(gateway, modern('server/discover'))
  expect(result).toMatchObject({ capabilities: { extensions: { 'io.modelcontextprotocol/ui': {} } } })
})
