import type { ToolPack } from '../../mcp/tool-handlers.ts'
import { askingTools } from './asking-tools.ts'
import { plainTools } from './plain-tools.ts'
import { taskTools } from './task-tools.ts'

/** All tools that the conformance suite asks for. Nothing of it is reached from any app. */
export function fixturePack(tellChange: () => void): ToolPack {
  const { tools, tasks } = taskTools()
  const all = [...plainTools(tellChange), ...askingTools, ...tools]
  const byName = new Map(all.map((tool) => [tool.name, tool]))
  return {
    tools: all.map(({ name, description, inputSchema = { type: 'object', properties: {} } }) => ({
      name,
      description,
      inputSchema,
    })),
    call(name, input, context) {
      const tool = byName.get(name)
      return tool && Promise.resolve(tool.call(input, context))
    },
    tasks,
  }
}
