import { operations } from '@flamegate/contract'
import type { App } from '@modelcontextprotocol/ext-apps'
import type { ToolResult } from './host-state.ts'
import type { Subject } from './subject.ts'
import { graphOf, pageOf, textOf, type ToolGraph } from './tool-graph.ts'

/** As many frames as fit a tool's result, first; where their names are long, fewer do. */
const frameCounts = [800, 400, 200, 100, 50] as const

type ServerTools = Pick<App, 'callServerTool'>

/**
 * The graph of a subject, as large as tool results may be, and its page in the web UI.
 * @throws Error in the server's words when it refuses
 */
export async function askGraph(
  app: ServerTools,
  subject: Subject,
): Promise<{ graph: ToolGraph; page: string | undefined }> {
  if ('sides' in subject) {
    const { id: name } = operations.compareProfiles
    return drawn(await call(app, name, { ...subject.sides, format: 'flamegraph-json', top_n: 1 }))
  }
  const { id: name } = operations.generateFlamegraph
  for (const frames of frameCounts) {
    // oxlint-disable-next-line no-await-in-loop -- less is asked for only when more was too much
    const result = await call(app, name, { ...subject.selection, max_nodes: frames })
    if (graphOf(result) !== undefined) return drawn(result)
  }
  throw new Error('The names in this profile are too long for a tool’s answer.')
}

async function call(app: ServerTools, name: string, input: Record<string, unknown>): Promise<ToolResult> {
  const result = await app.callServerTool({ name, arguments: input })
  if (result.isError === true) throw new Error(textOf(result))
  return result
}

function drawn(result: ToolResult): { graph: ToolGraph; page: string | undefined } {
  const graph = graphOf(result)
  if (graph === undefined) throw new Error('The server answered nothing that can be drawn.')
  return { graph, page: pageOf(result) }
}
