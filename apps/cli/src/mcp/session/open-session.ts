import { setTimeout as pause } from 'node:timers/promises'
import {
  Client,
  parseJSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type Transport,
} from '@modelcontextprotocol/client'
import type { McpReport } from '@flamegate/mcp-profiling'
import { openLoopbackRedirect } from '../../doctor/loopback-redirect.ts'
import { CouldNotMeasure } from '../could-not-measure.ts'
import type { HttpTarget, McpTarget, StdioTarget } from '../target/mcp-target.ts'
import { HttpWire, type HttpTemplate } from './http-wire.ts'
import { BrowserLogIn } from './log-in.ts'
import { isObject } from './read-message.ts'
import { sseWire } from './sse-wire.ts'
import { StdioPipe, withoutProgress } from './stdio-pipe.ts'
import type { McpWire } from './wire.ts'

/** A session with a server, open and ready to be measured. */
export interface McpSession {
  wire: McpWire
  server: McpReport['target']['server']
  /** What it says that it can: `tools`, `resources`, `prompts` … */
  capabilities: ReadonlySet<string>
  /** How long it took to be there. */
  connection: Pick<McpReport['connection'], 'processStartMs' | 'oauthMs' | 'initializeMs'>
  /** Of the process that was started; undefined of a URL. */
  pid: number | undefined
  /** Ends the server, too, if it was started for this. */
  close: () => Promise<void>
}

export interface SessionOptions {
  /** Of the server that is started: what it is given, beside its own. */
  env: Readonly<Record<string, string | undefined>>
  /** Of a call that is measured. */
  timeoutMs: number
  /** Shows a person the page on which to log in. */
  showLogIn: (page: URL) => void
  /** Hears what a server that is started writes to stderr. */
  hear?: ((text: string) => void) | undefined
}

/** Of an answer to the handshake: some servers are installed when they are first started. */
const openMsMax = 120_000
/** Of an answer to the end of the session. */
const endMsMax = 2000

/** Servers that refuse the handshake of before are spoken to as this revision has it. */
const statelessRevision = '2026-07-28'

/** @throws CouldNotMeasure when it cannot be opened */
export async function openSession(target: McpTarget, options: SessionOptions): Promise<McpSession> {
  try {
    return await openWith(target, options, undefined)
  } catch (error) {
    if (!isAnswered(error)) throw notOpened(target, error)
    return openWith(target, options, statelessRevision).catch(() => {
      throw notOpened(target, error)
    })
  }
}

function openWith(target: McpTarget, options: SessionOptions, pin: string | undefined): Promise<McpSession> {
  if (target.kind === 'stdio') return openStdio(target, options, pin)
  return target.transport === 'sse' ? openSse(target, options) : openStreamable(target, options, pin)
}

function newClient(pin: string | undefined): Client {
  return new Client(
    { name: 'mcp-profiler', version: '0.1.0' },
    pin === undefined ? {} : { versionNegotiation: { mode: { pin } } },
  )
}

async function openStdio(
  target: StdioTarget,
  options: SessionOptions,
  pin: string | undefined,
): Promise<McpSession> {
  const pipe = new StdioPipe(target, options)
  const client = newClient(pin)
  try {
    const began = performance.now()
    await client.connect(pipe, { timeout: openMsMax })
    const { processStartMs } = pipe
    return {
      ...whatItSays(client),
      wire: pipe,
      connection: {
        processStartMs,
        oauthMs: null,
        initializeMs: performance.now() - began - (processStartMs ?? 0),
      },
      pid: pipe.pid,
      close: () => client.close(),
    }
  } catch (error) {
    await pipe.close()
    if (pipe.lastWords === '') throw error
    throw new Error(`${messageOf(error)} It said: ${pipe.lastWords}`, { cause: error })
  }
}

async function openStreamable(
  target: HttpTarget,
  options: SessionOptions,
  pin: string | undefined,
): Promise<McpSession> {
  const url = new URL(target.url)
  const template: HttpTemplate = { url, headers: {}, meta: null }
  const places = new Set([url.href])
  const opened = await openHttp(target, options, pin, (common) => {
    return new StreamableHTTPClientTransport(url, {
      ...common,
      fetch: async (input, init) => {
        const place = new URL(input)
        if (init?.method !== 'POST' || !places.has(place.href)) return fetch(input, init)
        // The last one of the opening has all that the session asks for.
        Object.assign(template, templateOf(init))
        const response = await fetch(input, init)
        const other = movedTo(place, response)
        if (other === undefined) return response
        places.add(other.href)
        template.url = other
        return response
      },
    })
  })
  const wire = new HttpWire({ ...template }, options.timeoutMs, (request) =>
    handToSdk(opened.transport, request),
  )
  return { ...opened, wire, close: () => closed(opened.client, wire, opened.transport) }
}

/** Where the same server has it asked in place of this, such as the same path with a slash: the SDK follows so far, too. */
function movedTo(from: URL, { status, headers }: Response): URL | undefined {
  const location = headers.get('location')
  if (location === null || (status !== 307 && status !== 308)) return undefined
  const to = URL.parse(location, from.href)
  return to?.origin === from.origin ? to : undefined
}

/** It answers what a server asks of its client; what is no request is passed over. */
function handToSdk({ onmessage }: Transport, request: Record<string, unknown>): void {
  try {
    onmessage?.(parseJSONRPCMessage(request))
  } catch {
    // As the SDK does with what it cannot read.
  }
}

async function openSse(target: HttpTarget, options: SessionOptions): Promise<McpSession> {
  const opened = await openHttp(
    target,
    options,
    undefined,
    (common) => new SSEClientTransport(new URL(target.url), common),
  )
  const wire = sseWire(opened.transport, options.timeoutMs)
  return { ...opened, wire, close: () => closed(opened.client, wire) }
}

async function closed(
  client: Client,
  wire: McpWire,
  transport?: StreamableHTTPClientTransport,
): Promise<void> {
  await wire.close()
  // Not every server knows how to end a session, and one that hangs does not say so.
  const ended = transport?.terminateSession().catch(() => undefined)
  await Promise.race([ended, pause(endMsMax, undefined, { ref: false })])
  await client.close()
}

interface CommonOptions {
  requestInit: { headers: Record<string, string> }
  authProvider?: BrowserLogIn
}

type HttpTransport = Transport & { finishAuth: (answer: URLSearchParams) => Promise<void> }

/** Opens the session, and has a person log in where the server asks for that. */
async function openHttp<Made extends HttpTransport>(
  target: HttpTarget,
  { showLogIn }: SessionOptions,
  pin: string | undefined,
  make: (common: CommonOptions) => Made,
): Promise<Omit<McpSession, 'wire' | 'close'> & { client: Client; transport: Made }> {
  const requestInit = { headers: { ...target.headers } }
  const hasCredentials = Object.keys(target.headers).some((name) => name.toLowerCase() === 'authorization')
  const redirect = hasCredentials ? undefined : await openLoopbackRedirect()
  const logIn = redirect && new BrowserLogIn(redirect, showLogIn)
  const common = logIn === undefined ? { requestInit } : { requestInit, authProvider: logIn }
  let oauthMs: number | null = null
  try {
    for (;;) {
      const client = newClient(pin)
      const transport = make(common)
      const began = performance.now()
      try {
        await client.connect(transport, { timeout: openMsMax })
        const connection = { processStartMs: null, oauthMs, initializeMs: performance.now() - began }
        return { ...whatItSays(client), client, transport, connection, pid: undefined }
      } catch (error) {
        await client.close()
        if (!(error instanceof UnauthorizedError) || redirect === undefined || oauthMs !== null) throw error
        await transport.finishAuth(new URL(await redirect.answer()).searchParams)
        // From the first refusal, with the time that the person took.
        oauthMs = performance.now() - began
      }
    }
  } finally {
    redirect?.close()
  }
}

function whatItSays(client: Client): Pick<McpSession, 'server' | 'capabilities'> {
  const { name = '', version = '' } = client.getServerVersion() ?? {}
  return {
    server: { name, version, protocolVersion: client.getNegotiatedProtocolVersion() ?? '' },
    capabilities: new Set(Object.keys(client.getServerCapabilities() ?? {})),
  }
}

function templateOf({ headers, body }: RequestInit): Omit<HttpTemplate, 'url'> {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
  const params = isObject(message) ? message['params'] : undefined
  const meta = isObject(params) ? params['_meta'] : undefined
  return {
    headers: Object.fromEntries(new Headers(headers)),
    meta: isObject(meta) ? withoutProgress(meta) : null,
  }
}

/** The server answered, and not as this handshake has it: another one may do. */
function isAnswered(error: unknown): boolean {
  return error instanceof Error && ['ProtocolError', 'SdkHttpError'].includes(error.name)
}

function notOpened(target: McpTarget, error: unknown): CouldNotMeasure {
  const where = target.kind === 'stdio' ? target.command.join(' ') : target.url
  return new CouldNotMeasure(`No session with ${target.name} (${where}): ${messageOf(error)}`, {
    cause: error,
  })
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'why is not known.'
  const { cause } = error
  return cause instanceof Error && cause.message !== '' && !error.message.includes(cause.message)
    ? `${error.message} (${cause.message})`
    : error.message
}
