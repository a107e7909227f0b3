import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { catalogue, Problem, type Operation } from '@flamegate/contract'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { operationFields } from '../arguments/operation-field.ts'

type Json = Record<string, unknown>

/** What a test answers for an operation: fields that replace those of its example. A `Problem` may be thrown. */
export type Reply = (input: Json, callNumber: number) => Json

/** A call that the server saw and whose input its operation's schema accepted. */
export interface SeenCall {
  operation: string
  input: Json
  authorization: string | undefined
  idempotencyKey: string | undefined
}

export interface TestApi {
  url: string
  calls: SeenCall[]
  /** Bodies that were sent to `<url>/objects/…`. */
  uploads: { headers: IncomingMessage['headers']; body: Buffer }[]
}

/**
 * An HTTP server on loopback that speaks the REST shapes of the whole catalogue: routes, inputs read by their
 * schemas, problem details. Answers are the operations' examples with what the test puts over them.
 */
export async function serveApi(
  replies: Readonly<Record<string, Reply>> = {},
  options: { uploadStatus?: number; uploadStatuses?: number[] } = {},
): Promise<TestApi> {
  const api: TestApi = { url: '', calls: [], uploads: [] }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => sendProblem(response, error))
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const url = new URL(request.url ?? '/', api.url)
    if (url.pathname.startsWith('/objects/')) {
      api.uploads.push({ headers: request.headers, body })
      response.writeHead(options.uploadStatuses?.shift() ?? options.uploadStatus ?? 201).end()
      return
    }
    const { operation, path } = findRoute(request.method ?? '', url.pathname)
    const given = body.length > 0 ? parseObject(body) : queryOf(operation, url.searchParams)
    const input = { ...given, ...path }
    const parsed = operation.input.safeParse(input)
    if (!parsed.success) throw new Problem('invalid_input', parsed.error.message)
    const { authorization, 'idempotency-key': key } = request.headers
    const idempotencyKey = typeof key === 'string' ? key : undefined
    api.calls.push({ operation: operation.id, input, authorization, idempotencyKey })
    const callNumber = api.calls.filter((call) => call.operation === operation.id).length
    const reply = replies[operation.id]?.(input, callNumber) ?? {}
    const output = { ...operation.examples[0]?.output, ...uploadHere(reply) }
    response
      .writeHead(operation.http.status, { 'content-type': 'application/json' })
      .end(
        JSON.stringify({ ...output, url: `https://flamegate.example${operation.link(output, parsed.data)}` }),
      )
  }

  /** A test cannot know the port when it writes the upload URL: a path means this server. */
  function uploadHere(reply: Json): Json {
    const { upload } = reply
    if (typeof upload !== 'object' || upload === null || !('url' in upload)) return reply
    return { ...reply, upload: { ...upload, url: new URL(String(upload.url), api.url).href } }
  }

  api.url = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return api
}

/** A URL on loopback at which nobody listens. */
export async function closedUrl(): Promise<string> {
  const server = createServer()
  const url = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return url
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port')
  return `http://127.0.0.1:${address.port}`
}

function findRoute(method: string, pathname: string): { operation: Operation; path: Json } {
  // The route with fewer parameters is the more exact one: /v1/runs/compare before /v1/runs/{run_id}.
  const candidates = catalogue
    .filter((operation) => operation.http.method === method)
    .toSorted((a, b) => a.pathParameters.length - b.pathParameters.length)
  for (const operation of candidates) {
    const pattern = new RegExp(`^${operation.http.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    const match = pattern.exec(pathname)
    if (match === null) continue
    const path = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
    return { operation, path: Object.fromEntries(path) }
  }
  throw new Problem('not_found', `There is nothing at ${method} ${pathname}.`)
}

function parseObject(body: Buffer): Json {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(body.toString('utf8')))
}

function queryOf(operation: Operation, query: URLSearchParams): Json {
  const kinds = new Map(operationFields(operation).map((field) => [field.name, field.kind]))
  return Object.fromEntries(
    [...query].map(([name, text]) => {
      const kind = kinds.get(name)
      if (kind === 'list') return [name, query.getAll(name)]
      return [name, kind === 'number' ? Number(text) : kind === 'boolean' ? text === 'true' : text]
    }),
  )
}

function sendProblem(response: ServerResponse, error: unknown): void {
  const problem = error instanceof Problem ? error : new Problem('internal', String(error))
  response
    .writeHead(problem.status, {
      'content-type': 'application/problem+json',
      ...(problem.retryAfterSeconds === undefined
        ? {}
        : { 'retry-after': String(problem.retryAfterSeconds) }),
    })
    .end(JSON.stringify(problem.toDetails('/v1/docs', 'req-1')))
}
