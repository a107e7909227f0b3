import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '@flamegate/contract'
import { selectableToolsets } from '@flamegate/surfaces'
import type { SelectableToolset, ToolSelection } from '@flamegate/surfaces'

/** What the address of an MCP endpoint says about what is served there; see docs/mcp-addresses.md. */
export interface Address {
  selection: ToolSelection
  isReadOnly: boolean
  hasOutputSchemas: boolean
  /** Ids or slugs, as they were typed. */
  workspace?: string
  project?: string
}

/** Words of a path that are no project. */
const keywords = new Set(['x', 'compact', 'readonly'])
const rememberedMax = 1_000

/**
 * Reads addresses, and the headers that say the same for clients that cannot change their address:
 *
 *     /mcp[/w/<workspace>[/<project>]][/x/<toolset>[+<toolset>]… | /compact][/readonly][?output_schemas=true][&readonly=true]
 *
 * What is typed is remembered, because a client sends all its requests to the same place.
 */
export function createAddressReader(): (url: string, headers: IncomingHttpHeaders) => Address {
  const remembered = new Map<string, Address>()
  return (url, headers) => {
    const toolsets = headers['x-mcp-toolsets']
    const readOnly = headers['x-mcp-readonly']
    const key =
      toolsets === undefined && readOnly === undefined ? url : JSON.stringify([url, toolsets, readOnly])
    const known = remembered.get(key)
    if (known !== undefined) return known
    const address = readAddress(url, toolsets, readOnly)
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(key, address)
    return address
  }
}

/**
 * @throws Problem `toolset_not_found`, with those there are; `not_found` for a path that means nothing
 */
function readAddress(
  url: string,
  toolsetsHeader: string | string[] | undefined,
  readOnlyHeader: string | string[] | undefined,
): Address {
  const [path = '', query = ''] = url.split('?')
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decode)
  const place = takePlace(parts)
  const selection = takeSelection(parts)
  const isReadOnlyPath = takeKeyword(parts, 'readonly')
  if (parts.length > 0) throw nothingAt(path)
  const parameters = new URLSearchParams(query)
  return {
    ...place,
    selection: selection ?? selectionFromHeader(toolsetsHeader),
    isReadOnly: isReadOnlyPath || isTrue(parameters.get('readonly')) || isTrue(readOnlyHeader),
    hasOutputSchemas: isTrue(parameters.get('output_schemas')),
  }
}

/** Takes `mcp` and, when they are there, `w`, a workspace and a project. */
function takePlace(parts: string[]): Pick<Address, 'workspace' | 'project'> {
  parts.shift()
  if (!takeKeyword(parts, 'w')) return {}
  const workspace = parts.shift()
  if (workspace === undefined) throw new Problem('not_found', 'Name a workspace: /mcp/w/<workspace>.')
  const [project] = parts
  if (project === undefined || keywords.has(project.toLowerCase())) return { workspace }
  parts.shift()
  return { workspace, project }
}

function takeSelection(parts: string[]): ToolSelection | undefined {
  if (takeKeyword(parts, 'compact')) return 'compact'
  return takeKeyword(parts, 'x') ? readSelection(parts.shift() ?? '') : undefined
}

function selectionFromHeader(header: string | string[] | undefined): ToolSelection {
  const text = String(header ?? '').trim()
  return text === '' ? 'default' : readSelection(text)
}

/** `all`, `compact`, or names with `+`, commas or spaces between them; always in the order of the catalogue. */
function readSelection(text: string): ToolSelection {
  const names = text
    .toLowerCase()
    .split(/[+,\s]+/)
    .filter((name) => name !== '')
  const unknown = names.filter((name) => !isSelectable(name) && name !== 'all' && name !== 'compact')
  if (unknown.length > 0 || names.length === 0) {
    throw new Problem(
      'toolset_not_found',
      `There is no toolset ${unknown.join(', ') || 'without a name'}. There are: all, ${selectableToolsets.join(', ')}; several go with + between them.`,
    )
  }
  if (names.includes('compact')) return 'compact'
  if (names.includes('all')) return 'all'
  return selectableToolsets.filter((name) => names.includes(name))
}

function isSelectable(name: string): name is SelectableToolset {
  return selectableToolsets.some((each) => each === name)
}

function takeKeyword(parts: string[], keyword: string): boolean {
  if (parts[0]?.toLowerCase() !== keyword) return false
  parts.shift()
  return true
}

function isTrue(value: string | string[] | null | undefined): boolean {
  return typeof value === 'string' && ['true', '1', 'yes'].includes(value.trim().toLowerCase())
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function nothingAt(path: string): Problem {
  return new Problem(
    'not_found',
    `There is no MCP endpoint at ${path.slice(0, 200)}. There are: /mcp, /mcp/x/<toolset>[+<toolset>][/readonly], /mcp/compact, and each of them below /mcp/w/<workspace>[/<project>].`,
  )
}
