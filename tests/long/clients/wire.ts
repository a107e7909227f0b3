import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { listenOnLoopback } from './loopback.ts'

/** A request of a client and what it was answered. */
export interface Exchange {
  method: string
  path: string
  status: number
  /** The JSON-RPC method of a message to `/mcp`. */
  rpc: string | undefined
  /** The tool of a `tools/call`. */
  tool: string | undefined
  /** The protocol revision: that of the header, or what `initialize` asks for. */
  revision: string | undefined
  /** The parameters of an authorization or token request. */
  parameters: URLSearchParams
  /** Whether a bearer token came with it. */
  hasToken: boolean
  userAgent: string
}

/** The public address of the platform, where everything that clients say can be read. */
export interface Wire {
  url: string
  /** What was said so far, oldest first. */
  exchanges: Exchange[]
  /** While true, the metadata of the authorization server says nothing of client ID metadata documents. */
  hideDocuments: boolean
  /** Where it leads: the origin of the platform. */
  leadTo(origin: string): void
  close(): Promise<void>
}

const metadataPaths = /^\/\.well-known\/(?:oauth-authorization-server|openid-configuration)/
const message = z.looseObject({
  method: z.string(),
  params: z.looseObject({ name: z.string().optional(), protocolVersion: z.string().optional() }).optional(),
})

/** Listens on a free port of loopback. */
export async function openWire(): Promise<Wire> {
  let target = new URL('http://127.0.0.1:9')
  const server = createServer((incoming, outgoing) => {
    void pass(incoming, outgoing).catch(() => outgoing.destroy())
  })
  const wire: Wire = {
    url: `http://127.0.0.1:${await listenOnLoopback(server)}`,
    exchanges: [],
    hideDocuments: false,
    leadTo(origin) {
      target = new URL(origin)
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await readAll(incoming)
    const hides = wire.hideDocuments && metadataPaths.test(incoming.url ?? '')
    const headers = { ...incoming.headers }
    if (hides) delete headers['accept-encoding']
    const answer = await new Promise<IncomingMessage>((done, fail) => {
      const onward = forward(
        { host: target.hostname, port: target.port, path: incoming.url, method: incoming.method, headers },
        done,
      )
      onward.once('error', fail)
      outgoing.once('close', () => onward.destroy())
      onward.end(body)
    })
    const status = answer.statusCode ?? 0
    wire.exchanges.push(describe(incoming, body.toString(), status))
    if (!hides || status !== 200) {
      outgoing.writeHead(status, answer.rawHeaders)
      answer.pipe(outgoing)
      return
    }
    const metadata: Record<string, unknown> = JSON.parse((await readAll(answer)).toString())
    delete metadata['client_id_metadata_document_supported']
    outgoing.writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
    outgoing.end(JSON.stringify(metadata))
  }

  return wire
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function describe(
  { method = '', url = '/', headers }: IncomingMessage,
  body: string,
  status: number,
): Exchange {
  const { pathname, searchParams } = new URL(url, 'http://wire.invalid')
  const sent = pathname.startsWith('/mcp') ? readMessage(body) : undefined
  return {
    method,
    path: pathname,
    status,
    rpc: sent?.method,
    tool: sent?.method === 'tools/call' ? sent.params?.name : undefined,
    revision: headers['mcp-protocol-version']?.toString() ?? sent?.params?.protocolVersion,
    parameters: pathname === '/oauth/token' ? new URLSearchParams(body) : searchParams,
    hasToken: headers.authorization !== undefined,
    userAgent: headers['user-agent'] ?? '',
  }
}

function readMessage(body: string): z.output<typeof message> | undefined {
  try {
    return message.safeParse(JSON.parse(body)).data
  } catch {
    return undefined
  }
}
