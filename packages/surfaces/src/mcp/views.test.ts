import { expect, test } from 'vitest'
import { buildToolRegistry } from './tool-registry.ts'
import { policyKey, type ToolPolicy } from './tool-policy.ts'
import { showsViews, viewLibrary, viewsExtension } from './views.ts'

const policy: ToolPolicy = { selection: 'all', isReadOnly: false, fixes: 'nothing', hasOutputSchemas: false }
const mimeType = 'text/html;profile=mcp-app'
const nobody = { ask: () => Promise.resolve(undefined), inputResponses: undefined }

test('tools whose results have a view name it, and say nothing of it to clients that show none', () => {
  const metaOf = (hasViews: boolean) =>
    buildToolRegistry({ ...policy, hasViews }).tools.flatMap(({ name, _meta }) =>
      _meta === undefined ? [] : [[name, _meta]],
    )
  const uri = 'ui://flamegate/flame-graph'
  const meta = { ui: { resourceUri: uri }, 'ui/resourceUri': uri }
  expect(metaOf(true)).toEqual([
    ['compare_profiles', meta],
    ['generate_flamegraph', meta],
    ['query_flamegraph', meta],
  ])
  expect(metaOf(false)).toEqual([])
  expect(policyKey({ ...policy, hasViews: true })).not.toBe(policyKey(policy))
})

test('a view is a resource that needs no origin at all', async () => {
  const library = viewLibrary('<title>Flame graph</title>')
  const [listed] = library.resources
  expect(listed).toMatchObject({ mimeType, _meta: { ui: { csp: {} } } })
  expect(await library.read(listed?.uri ?? '', nobody)).toEqual([
    {
      uri: listed?.uri,
      mimeType,
      text: '<title>Flame graph</title>',
      _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
    },
  ])
  expect(await library.read('ui://flamegate/another', nobody)).toBeUndefined()
})

const saying = (settings: unknown) => ({ extensions: { [viewsExtension]: settings } })

test('a client shows views when it says so of their media type', () => {
  expect(showsViews(saying({ mimeTypes: ['text/plain', mimeType] }))).toBe(true)
  for (const other of [saying({ mimeTypes: ['text/html'] }), saying({}), saying(null), {}, undefined]) {
    expect(showsViews(other)).toBe(false)
  }
})
