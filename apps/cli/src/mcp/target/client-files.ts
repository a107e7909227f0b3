import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse as parseToml, TomlError } from 'smol-toml'
import { z } from 'zod'
import { UsageError } from '../../usage-error.ts'
import { relaxedJson } from '../relaxed-json.ts'
import { configurationFile, settingsOf } from '../settings.ts'

const texts = z.record(z.string(), z.string())

/** An entry as clients write it. What is in it beside this is theirs. */
const entry = z.object({
  type: z.string().optional(),
  transport: z.string().optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  headers: texts.optional(),
  /** Codex calls them so. */
  http_headers: texts.optional(),
})
export type ServerEntry = z.output<typeof entry>

/** Entries are read one by one: another server's that is odd is no reason to refuse. */
const entries = z.record(z.string(), z.unknown()).optional()
const withServers = z.object({ mcpServers: entries })

/** A file in which servers have names. */
interface ServersFile {
  /** As people know it, and may write it: `~/.claude.json`. */
  label: string
  path: string
  /** The servers in it by name; undefined where it has none. Throws what zod, JSON and TOML throw. */
  serversIn: (text: string) => Record<string, unknown> | undefined
}

/** All files that are looked into, the first one first. */
export function serverFiles(cwd: string, home: string | undefined): ServersFile[] {
  const project: ServersFile[] = [
    {
      label: configurationFile,
      path: path.join(cwd, configurationFile),
      serversIn: (text) => settingsOf(text).configuration.mcpServers,
    },
    { label: '.mcp.json', path: path.join(cwd, '.mcp.json'), serversIn: mcpServers },
  ]
  const editors: ServersFile[] = [
    {
      label: '.vscode/mcp.json',
      path: path.join(cwd, '.vscode', 'mcp.json'),
      serversIn: (text) => z.object({ servers: entries }).parse(relaxedJson(text)).servers,
    },
    { label: '.cursor/mcp.json', path: path.join(cwd, '.cursor', 'mcp.json'), serversIn: mcpServers },
  ]
  if (home === undefined) return [...project, ...editors]
  return [
    ...project,
    {
      label: '~/.claude.json',
      path: path.join(home, '.claude.json'),
      serversIn: (text) => claudeServers(text, cwd),
    },
    {
      label: '~/.codex/config.toml',
      path: path.join(home, '.codex', 'config.toml'),
      serversIn: (text) => z.object({ mcp_servers: entries }).parse(parseToml(text)).mcp_servers,
    },
    ...editors,
    {
      label: '~/.cursor/mcp.json',
      path: path.join(home, '.cursor', 'mcp.json'),
      serversIn: mcpServers,
    },
  ]
}

/** The servers of one file; undefined where there is no such file. @throws UsageError when it cannot be read */
export async function readServers(file: ServersFile): Promise<Record<string, unknown> | undefined> {
  const text = await readFile(file.path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new UsageError(
      `${file.label} cannot be read: ${error instanceof Error ? error.message : 'why is not known'}`,
    )
  })
  if (text === undefined) return undefined
  try {
    return file.serversIn(text) ?? {}
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (error instanceof SyntaxError || error instanceof TomlError || error instanceof z.ZodError)
      throw new UsageError(`${file.label} is not what it should be: ${firstLine(error)}`)
    throw error
  }
}

/** @throws UsageError */
export function readEntry(name: string, label: string, value: unknown): ServerEntry {
  const parsed = entry.safeParse(value)
  if (parsed.success && (parsed.data.command ?? parsed.data.url) !== undefined) return parsed.data
  throw new UsageError(`The server ${name} in ${label} has neither a command nor a url that can be used.`)
}

function mcpServers(text: string): Record<string, unknown> | undefined {
  return withServers.parse(relaxedJson(text)).mcpServers
}

/** Claude Code keeps servers of the user, and of each project by its folder; those are nearer. */
function claudeServers(text: string, cwd: string): Record<string, unknown> {
  const file = withServers
    .extend({ projects: z.record(z.string(), z.unknown()).optional() })
    .parse(relaxedJson(text))
  const project = withServers.safeParse(file.projects?.[cwd])
  return { ...file.mcpServers, ...project.data?.mcpServers }
}

function firstLine(error: Error): string {
  if (error instanceof z.ZodError) return z.prettifyError(error).split('\n')[0] ?? ''
  return error.message.split('\n')[0] ?? ''
}
