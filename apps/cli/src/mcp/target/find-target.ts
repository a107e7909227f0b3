import path from 'node:path'
import type { Terminal } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { expandVariables } from './expand-variables.ts'
import { readEntry, readServers, serverFiles, type ServerEntry } from './client-files.ts'
import type { McpTarget } from './mcp-target.ts'

const commandLine = 'the command line'
const versionPlace = '{version}'

/** What of a target the command line says. */
export interface AskedTarget {
  /** Of `--mcp`: a name, or a URL. */
  mcp: string | undefined
  /** A command after `--`, or a URL. */
  words: readonly string[]
  /** Of `--header`, as `Name: value`. */
  headers: readonly string[]
  /** Of `--env`, as `NAME=value`. */
  env: readonly string[]
  /** Speaks the old transport over HTTP with Server-Sent Events. */
  isSse: boolean
  /** Takes the place of `{version}` in what a file says of a named server, which has to have it then. */
  version?: string | undefined
}

/** The server that is to be measured. @throws UsageError when there is none, or it cannot be read */
export async function findTarget(
  asked: AskedTarget,
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
): Promise<McpTarget> {
  const { mcp, words } = asked
  const added = { headers: headersOf(asked.headers), env: variablesOf(asked.env), isSse: asked.isSse }
  const [first, ...rest] = words
  if (first !== undefined && mcp !== undefined && !isUrl(mcp)) {
    return targetOf(mcp, commandLine, entryOfWords(first, rest), { cwd, ...added })
  }
  if (first !== undefined && mcp === undefined) {
    return targetOf(nameOf(first, rest), commandLine, entryOfWords(first, rest), { cwd, ...added })
  }
  if (mcp === undefined || first !== undefined) {
    throw new UsageError(
      'Say which server: --mcp with its name or URL, or its command after --, such as -- node server.js.',
    )
  }
  if (isUrl(mcp)) return targetOf(nameOf(mcp, []), commandLine, { url: mcp }, { cwd, ...added })
  const files = serverFiles(cwd, env['HOME'] || env['USERPROFILE'])
  const known = new Set<string>()
  for (const file of files) {
    const servers = await readServers(file)
    for (const name of Object.keys(servers ?? {})) known.add(name)
    const value = servers?.[mcp]
    if (value !== undefined) {
      const written = readEntry(mcp, file.label, value)
      if (asked.version !== undefined && !JSON.stringify(written).includes(versionPlace)) {
        throw new UsageError(
          `The server ${mcp} in ${file.label} has no ${versionPlace}, so that all versions of it would be the same. Write it where the version belongs, such as "npx my-server@${versionPlace}".`,
        )
      }
      const entry = expanded(written, (text) =>
        expandVariables(text, { env, cwd }).replaceAll(versionPlace, asked.version ?? versionPlace),
      )
      return targetOf(mcp, file.label, entry, { cwd, ...added })
    }
  }
  throw new UsageError(
    `There is no server ${mcp} in ${files.map(({ label }) => label).join(', ')}.${
      known.size > 0 ? ` There are: ${[...known].join(', ')}.` : ''
    } Give its URL, or its command after --.`,
  )
}

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text)
}

function entryOfWords(first: string, rest: readonly string[]): ServerEntry {
  return isUrl(first) ? { url: first } : { command: first, args: [...rest] }
}

function expanded(entry: ServerEntry, expand: (text: string) => string): ServerEntry {
  const all = (texts: Readonly<Record<string, string>> | undefined) =>
    Object.fromEntries(Object.entries(texts ?? {}).map(([name, text]) => [name, expand(text)]))
  const { command, url, cwd } = entry
  return {
    ...entry,
    ...(command === undefined ? {} : { command: expand(command) }),
    ...(url === undefined ? {} : { url: expand(url) }),
    ...(cwd === undefined ? {} : { cwd: expand(cwd) }),
    args: (entry.args ?? []).map(expand),
    env: all(entry.env),
    headers: all(entry.headers),
    http_headers: all(entry.http_headers),
  }
}

/** What runs another program, which is named after it. */
const runners = /^(?:node|bun|deno|tsx|npx|bunx|pnpm|python[\d.]*|uv|uvx|java|go|docker|env)(?:\.exe|\.cmd)?$/

/** `server.js` of `node build/server.js`, `localhost-3000` of a URL: also a part of names of files. */
function nameOf(first: string, rest: readonly string[]): string {
  let name = path.basename(first)
  if (isUrl(first)) name = URL.canParse(first) ? new URL(first).host : first
  else if (runners.test(name)) {
    const run = rest.find((word) => !word.startsWith('-') && !['run', 'exec', 'dlx', 'x'].includes(word))
    // Without the version that npx and the like take.
    name = path.basename(run ?? name).replace(/(?<=.)@.*$/, '')
  }
  return name.replaceAll(/[^A-Za-z0-9._-]+/g, '-')
}

interface Added {
  cwd: string
  headers: Record<string, string>
  env: Record<string, string>
  isSse: boolean
}

function targetOf(name: string, from: string, entry: ServerEntry, added: Added): McpTarget {
  if (entry.command !== undefined) {
    return {
      kind: 'stdio',
      name,
      from,
      command: [entry.command, ...(entry.args ?? [])],
      env: { ...entry.env, ...added.env },
      cwd: path.resolve(added.cwd, entry.cwd ?? '.'),
    }
  }
  const url = entry.url ?? ''
  if (!isUrl(url) || !URL.canParse(url)) {
    throw new UsageError(
      `${url} of the server ${name} is no URL. Write one such as http://localhost:3000/mcp.`,
    )
  }
  return {
    kind: 'http',
    name,
    from,
    url,
    transport: added.isSse || (entry.type ?? entry.transport) === 'sse' ? 'sse' : 'streamable_http',
    headers: { ...entry.headers, ...entry.http_headers, ...added.headers },
  }
}

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      if (colon < 1) throw new UsageError(`--header ${line} is no header. Write it as Name: value.`)
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
}

function variablesOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const sign = line.indexOf('=')
      if (sign < 1) throw new UsageError(`--env ${line} is no variable. Write it as NAME=value.`)
      return [line.slice(0, sign), line.slice(sign + 1)]
    }),
  )
}
