import type { Toolset } from '@flamegate/contract'

/** As people read it: `Virtual users`. */
export function toolsetTitle(toolset: Toolset): string {
  const words = toolset.replaceAll('_', ' ')
  return words.startsWith('mcp') ? words.replace('mcp', 'MCP') : words[0]?.toUpperCase() + words.slice(1)
}
