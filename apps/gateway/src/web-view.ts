import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The flame graph that MCP hosts show, as one page of HTML; undefined where the web UI was built without it. */
export async function readView(webRoot: string): Promise<string | undefined> {
  const path = join(webRoot, 'mcp-app/flame-graph.html')
  return existsSync(path) ? readFile(path, 'utf8') : undefined
}
