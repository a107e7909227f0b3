import {
  alwaysThere,
  connectionLimit,
  isReading,
  operations,
  roleAtLeast,
  toolsetNames,
  toolsets,
  type Role,
  type Toolset,
} from '@flamegate/contract'
import type { Tool } from './tools.ts'

/** The toolset of another product's names, beside those of the catalogue; never listed unless asked for. */
export const octoperfNames = 'octoperf_names'

/** What `/mcp/x/…` can name, besides `all`. */
export const selectableToolsets = [...toolsetNames, octoperfNames] as const
export type SelectableToolset = (typeof selectableToolsets)[number]

/** What is listed without being asked for: all that most people need. */
const defaultToolsets: readonly Toolset[] = toolsetNames.filter(
  (name) => name !== 'live' && name !== 'mcp_servers',
)

/** The least with which an agent reaches everything: by words, by name, and what is asked most often. */
const compactTools: ReadonlySet<string> = new Set(
  [
    operations.findTools,
    operations.describeTool,
    operations.callTool,
    operations.getCurrentUser,
    operations.listProjects,
    operations.listRuns,
    operations.compareRuns,
    operations.queryFlamegraph,
  ].map((operation) => operation.id),
)

/** Which tools an address is for; toolsets in the order of the table. */
export type ToolSelection = 'default' | 'all' | 'compact' | readonly SelectableToolset[]

/** What an address fixes, so that no tool asks for it. */
export type FixedPlace = 'nothing' | 'workspace' | 'project'

/** What one address lists to one kind of caller. Small: listings are kept by it. */
export interface ToolPolicy {
  selection: ToolSelection
  isReadOnly: boolean
  fixes: FixedPlace
  hasOutputSchemas: boolean
  /** Whether tools name the views of their results, because the client may show them; not when undefined. */
  hasViews?: boolean | undefined
  /** What the person left the connection; all when undefined. */
  toolsets?: readonly Toolset[] | undefined
  /** The strongest role that the person has in a workspace they reach; when it is not known, it hides nothing. */
  role?: Role | undefined
}

/** The same text for the same policy. */
export function policyKey(policy: ToolPolicy): string {
  const { selection, isReadOnly, fixes, hasOutputSchemas, hasViews = false, toolsets: given, role } = policy
  const choices = `${isReadOnly}|${fixes}|${hasOutputSchemas}|${hasViews}`
  return `${String(selection)}|${choices}|${given?.join() ?? '*'}|${role ?? ''}`
}

/** Whether `tools/list` shows it. A missing scope hides nothing: it can be asked for. */
export function isListed(tool: Tool, policy: ToolPolicy): boolean {
  return (
    isSelected(tool, policy.selection) &&
    connectionLimit(tool.operation, policy) === undefined &&
    (policy.role === undefined || roleAtLeast(policy.role, tool.operation.role))
  )
}

/**
 * Why a tool cannot be called by its name here, in words for whoever called; undefined when it can. What a role does
 * not allow is for the operation to say: it differs from workspace to workspace.
 */
export function whyHidden(tool: Tool, policy: ToolPolicy): string | undefined {
  return whyForbidden(tool, policy) ?? whyNotSelected(tool, policy.selection)
}

/** The same for a tool that `call_tool` is to call, which reaches what an address does not list. */
export function whyForbidden({ operation }: Tool, policy: ToolPolicy): string | undefined {
  const { isReadOnly, toolsets: given } = policy
  if (isReadOnly && !isReading(operation)) {
    return `This connection may only read, and ${operation.id} does more than that: the address or the person who connected it said so.`
  }
  return connectionLimit(operation, { toolsets: given })
}

function whyNotSelected(tool: Tool, selection: ToolSelection): string | undefined {
  if (isSelected(tool, selection)) return undefined
  const { callTool } = operations
  const toolset = tool.isAlias ? octoperfNames : tool.operation.toolset
  return `${tool.name} belongs to the toolset ${toolset}, which this address does not list. ${callTool.id} calls it all the same; /mcp/x/${toolset} and /mcp/x/all list it.`
}

function isSelected(tool: Tool, selection: ToolSelection): boolean {
  if (selection === 'compact') return !tool.isAlias && compactTools.has(tool.name)
  const names = selectedToolsets(selection)
  if (tool.hasOctoperfName && names.includes(octoperfNames)) return true
  return !tool.isAlias && (alwaysThere(tool.operation) || names.includes(tool.operation.toolset))
}

function selectedToolsets(selection: Exclude<ToolSelection, 'compact'>): readonly SelectableToolset[] {
  if (selection === 'all') return toolsetNames
  return selection === 'default' ? defaultToolsets : selection
}

/** What there is to select, with a line on each. */
export const selectableToolsetWords: Readonly<Record<SelectableToolset, string>> = {
  ...toolsets,
  [octoperfNames]: 'Tools under the names that OctoPerf gives them',
}
