import { operations, type Operation } from '@flamegate/contract'
import type { Library } from './library.ts'

// MCP Apps: a host shows the result of a tool in a page that the server brings along, in a sandbox.
// https://github.com/modelcontextprotocol/ext-apps, specification 2026-01-26.

/** The extension of MCP that views are; hosts that show them name it among their capabilities. */
export const viewsExtension = 'io.modelcontextprotocol/ui'

const viewMimeType = 'text/html;profile=mcp-app'
const flameGraphUri = 'ui://flamegate/flame-graph'

const withFlameGraph: ReadonlySet<string> = new Set(
  [operations.queryFlamegraph, operations.generateFlamegraph, operations.compareProfiles].map(({ id }) => id),
)

/** What a tool's listing says about the view of its results; undefined where there is none. */
export function viewMeta(operation: Operation): Record<string, unknown> | undefined {
  // The second key is the one from before the specification, which hosts still read.
  return withFlameGraph.has(operation.id)
    ? { ui: { resourceUri: flameGraphUri }, 'ui/resourceUri': flameGraphUri }
    : undefined
}

/** Whether a client with these capabilities shows views. */
export function showsViews(capabilities: unknown): boolean {
  const extensions = member(capabilities, 'extensions')
  const mimeTypes = member(member(extensions, viewsExtension), 'mimeTypes')
  return Array.isArray(mimeTypes) && mimeTypes.includes(viewMimeType)
}

/** The views as resources. `html` is a page that needs nothing else, from no origin: that is what its policy says. */
export function viewLibrary(html: string): Library {
  const listed = {
    uri: flameGraphUri,
    name: 'flame-graph',
    title: 'Flame graph',
    description: 'The interactive flame graph of a profile, or of a comparison.',
    mimeType: viewMimeType,
    _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
  }
  return {
    resources: [listed],
    templates: [],
    prompts: [],
    skills: [],
    async read(uri) {
      const { mimeType, _meta } = listed
      return uri === flameGraphUri ? [{ uri, mimeType, text: html, _meta }] : undefined
    },
    async prompt() {
      return undefined
    },
    async complete() {
      return undefined
    },
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
