import type { ListedTool, McpReport } from '@flamegate/mcp-profiling'
import { z } from 'zod'
import { CouldNotMeasure } from './could-not-measure.ts'
import { estimatedTokens } from './estimated-tokens.ts'
import { listeningProcess } from './load/listening-process.ts'
import { openSession, type McpSession, type SessionOptions } from './session/open-session.ts'
import type { WireAnswer } from './session/wire.ts'
import { isLoopback } from './target/allowed-load.ts'
import type { McpTarget } from './target/mcp-target.ts'

/** A server that is there, and what it says that it has. */
export interface OpenServer {
  target: McpTarget
  session: McpSession
  tools: readonly ListedTool[]
  connection: McpReport['connection']
  /** Of its process on this machine; undefined when it is not known. */
  pid: number | undefined
}

/** More pages than any server has tools for. */
const pagesMax = 1000

/** Some servers write null for what is not there. */
const hint = z.boolean().nullish()
const toolsPage = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      inputSchema: z.unknown(),
      annotations: z.object({ readOnlyHint: hint, destructiveHint: hint }).nullish(),
    }),
  ),
  nextCursor: z.string().nullish(),
})

/**
 * Opens a session, asks for the list of tools, and hands all of it to `use`; closes it in the end, and with it the server if
 * it was started for this.
 * @throws CouldNotMeasure
 */
export async function withServer<T>(
  target: McpTarget,
  options: SessionOptions & { interruption: AbortSignal },
  use: (server: OpenServer) => Promise<T>,
): Promise<T> {
  const session = await openUnlessStopped(target, options)
  try {
    const { tools, ...list } = session.capabilities.has('tools')
      ? await listTools(session)
      : { tools: [], toolsListMs: null, toolsListBytes: null, toolsListTokens: null }
    return await use({
      target,
      session,
      tools,
      connection: { ...session.connection, ...list, tools: list.toolsListMs === null ? null : tools.length },
      pid: session.pid ?? (await pidAt(target)),
    })
  } finally {
    await session.close()
  }
}

/** A person may be asked to log in, or a server may never answer: Ctrl-C ends that. */
async function openUnlessStopped(
  target: McpTarget,
  { interruption, ...options }: SessionOptions & { interruption: AbortSignal },
): Promise<McpSession> {
  const opening = openSession(target, options)
  const stopped = Promise.withResolvers<never>()
  const stop = (): void => {
    stopped.reject(new CouldNotMeasure('It was stopped before the session was open.'))
    // It may still come to be.
    opening.then((session) => session.close()).catch(() => undefined)
  }
  interruption.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([opening, stopped.promise])
  } finally {
    interruption.removeEventListener('abort', stop)
  }
}

/** The first page is timed; bytes and tokens are those of all. */
async function listTools({ wire }: McpSession) {
  const tools: ListedTool[] = []
  let toolsListMs: number | null = null
  let toolsListBytes = 0
  let toolsListTokens = 0
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const answer = await wire.call(wire.prepare('tools/list', cursor === undefined ? {} : { cursor }))
    const listed = toolsPage.safeParse(answer.result)
    if (!listed.success) throw new CouldNotMeasure(`tools/list failed: ${whyOf(answer)}`)
    toolsListMs ??= answer.endedAtMs - answer.sentAtMs
    toolsListBytes += answer.resultBytes
    toolsListTokens += estimatedTokens(JSON.stringify(answer.result))
    for (const { annotations, ...tool } of listed.data.tools) {
      tools.push(annotations ? { ...tool, annotations: definedOf(annotations) } : tool)
    }
    const { nextCursor } = listed.data
    // That there is no more some say by an empty one, or by the one that they were asked with.
    if (!nextCursor || nextCursor === cursor) break
    cursor = nextCursor
  }
  return { tools, toolsListMs, toolsListBytes, toolsListTokens }
}

function definedOf({
  readOnlyHint,
  destructiveHint,
}: Partial<Record<'readOnlyHint' | 'destructiveHint', boolean | null | undefined>>): NonNullable<
  ListedTool['annotations']
> {
  return {
    ...(typeof readOnlyHint === 'boolean' ? { readOnlyHint } : {}),
    ...(typeof destructiveHint === 'boolean' ? { destructiveHint } : {}),
  }
}

/** What went wrong, for people. */
export function whyOf({ failure }: WireAnswer): string {
  if (failure === null) return 'the answer is not what the protocol says.'
  return `${failure.kind}${failure.code === null ? '' : ` ${failure.code}`}: ${failure.message}`
}

async function pidAt(target: McpTarget): Promise<number | undefined> {
  if (target.kind === 'stdio') return undefined
  const { hostname, port, protocol } = new URL(target.url)
  if (!isLoopback(hostname)) return undefined
  return listeningProcess(Number(port) || (protocol === 'https:' ? 443 : 80))
}
