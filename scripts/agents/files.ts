import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { agentFiles, publicTexts } from '../../packages/surfaces/src/index.ts'

const folder = 'deploy/agents'
/** Stands for the address of whoever installs them; a platform hands out the same files with its own. */
const siteUrl = 'https://flamegate.example'

/** What clients of agents install: path below the checkout, and content. */
export function agentPages(): { path: string; content: string }[] {
  return agentFiles(siteUrl, publicTexts(siteUrl)).map(({ path, content }) => ({
    path: `${folder}/${path}`,
    content,
  }))
}

/** Files that were generated once and are not any more: a guide has another name now. */
export function staleAgentPages(root: string): string[] {
  const fresh = new Set(agentPages().map(({ path }) => path))
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !fresh.has(path))
}
