import type { ToolPolicy } from '@flamegate/surfaces'
import { instructions } from './server-identity.ts'

/** For the agent, before it has seen a tool: what is special to the address comes after what holds everywhere. */
export function instructionsFor({ selection, fixes, isReadOnly }: ToolPolicy): string {
  return [
    instructions,
    ...(selection === 'compact'
      ? ['- Few tools are listed here. find_tools finds all the others, call_tool calls them by name.']
      : []),
    ...(fixes === 'nothing' ? [] : [`- This address is about one ${fixes}: tools do not ask for it.`]),
    ...(isReadOnly ? ['- This connection may only read.'] : []),
  ].join('\n')
}
