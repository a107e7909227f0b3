import type { ActionOf, EmbeddedResource } from '@flamegate/loadtest'
import { ActionFailure } from '../action-failure.ts'
import type { Credentials } from '../http/authorization.ts'
import { follow } from '../http/follow.ts'
import type { Followed, FollowOptions } from '../http/follow.ts'
import { headerOf, withoutHeaders } from '../http/request.ts'
import type { HeaderList, HttpRequestToSend } from '../http/request.ts'
import { compileBody } from '../http/request-body.ts'
import type { MakeBody } from '../http/request-body.ts'
import { baseOf, requestUrl } from '../http/request-url.ts'
import { resourcesInPage } from '../http/resources-in-page.ts'
import type { CompiledTemplate } from '../program/compiled-template.ts'
import type { CompiledField, CompiledServer, Compiler } from '../program/compiler.ts'
import type { ResultDraft } from '../program/result-draft.ts'
import type { Doing, Told } from '../program/step.ts'
import type { User } from '../program/user.ts'
import { compileAssertions } from '../response/assert.ts'
import { compileExtractors } from '../response/extract.ts'
import type { Received } from '../response/received.ts'
import { checkResponse } from './check-response.ts'
import type { Checks } from './check-response.ts'

const answerBytesMax = 64_000_000
/** Several of them come at once. */
const resourceBytesMax = 16_000_000

interface CompiledResource {
  id: string
  server: CompiledServer | undefined
  path: CompiledTemplate
  headers: readonly CompiledField[]
}

/** What a request is made of, and what its answer is held against. */
export interface RequestParts {
  action: ActionOf<'http_request'>
  server: CompiledServer | undefined
  path: CompiledTemplate
  query: readonly CompiledField[]
  headers: readonly CompiledField[]
  makeBody: MakeBody | null
  checks: Checks
  hasStatusAssertion: boolean
}

export function compileHttpRequest(action: ActionOf<'http_request'>, compiler: Compiler): Doing {
  const server = compiler.server(action.server_id)
  const path = compiler.template(action.path)
  const query = compiler.fields(action.query)
  const headers = compiler.fields(action.headers)
  const makeBody = action.body === null ? null : compileBody(action.body, compiler)
  const checks = {
    extractors: compileExtractors(action.extractors, compiler),
    assertions: compileAssertions(action.assertions, compiler),
  }
  const hasStatusAssertion = action.assertions.some(({ type, enabled }) => type === 'status' && enabled)
  const resources = action.resources.list
    .filter(({ enabled }) => enabled && action.resources.mode !== 'none')
    .map((resource) => compileResource(resource, compiler))

  const requestParts = { action, server, path, query, headers, makeBody, checks, hasStatusAssertion }
  return { kind: 'act', run, request: requestParts }

  async function run(user: User, draft: ResultDraft): Promise<void> {
    if (server === undefined)
      throw new ActionFailure(`There is no HTTP server with the id ${action.server_id}.`)
    const expand = (template: CompiledTemplate) => user.expand(template)
    const url = requestUrl(server, path, query, expand)
    const body =
      makeBody === null ? null : await makeBody({ expand, openFile: user.plan.openFile, random: user.random })
    const asked: HttpRequestToSend = {
      method: action.method,
      url,
      headers: withContentType(requestHeaders(server, headers, expand), body),
      body: body?.bytes ?? null,
    }
    const followed = await follow(
      user.http,
      asked,
      followOptions(user, server, draft, {
        redirectsMax: action.redirects.follow ? action.redirects.max : null,
        timeoutMs: action.timeout_ms ?? server.timeoutMs,
        bytesMax: answerBytesMax,
      }),
    )
    tellMain(draft, followed)
    if (followed.failure !== null) draft.fail(followed.failure, followed.errorClass)
    const [received] = followed.received
    user.lastReceived = followed.failure === null ? (received ?? null) : null
    if (received === undefined || followed.failure !== null) return loseAll(action, user)
    const isRefused = (received.status ?? 0) >= 400
    judgeStatus(requestParts, received, draft)
    checkResponse(user, draft, followed.received, checks)
    if (!isRefused) await loadResources(user, draft, server, received)
  }

  async function loadResources(user: User, draft: ResultDraft, own: CompiledServer, page: Received) {
    const { mode, parallel } = action.resources
    if (mode === 'none') return
    const expand = (template: CompiledTemplate) => user.expand(template)
    const listed = resources.map(({ id, server: of, path: at, headers: with_ }) => {
      if (of === undefined)
        throw new ActionFailure(`The resource ${id} is on an HTTP server that does not exist.`)
      return {
        id,
        server: of,
        isOptional: false,
        request: {
          method: 'GET',
          url: requestUrl(of, at, [], expand),
          headers: requestHeaders(of, with_, expand),
          body: null,
        },
      }
    })
    const parsed = (mode === 'parsed' ? resourcesInPage(page) : []).map((url) => ({
      id: null,
      server: own,
      // A page names what others serve, too; those that may not be asked are left out.
      isOptional: true,
      request: { method: 'GET', url, headers: [['referer', page.url]] as const, body: null },
    }))
    const known = new Set(listed.map(({ request }) => request.url.href))
    const waiting = [...listed, ...parsed.filter(({ request }) => !known.has(request.url.href))]
    const failures: string[] = []
    const results = await inParallel(waiting, parallel, async ({ id, server: of, isOptional, request }) => {
      const options = { redirectsMax: 20, timeoutMs: of.timeoutMs, bytesMax: resourceBytesMax }
      const followed = await follow(user.http, request, followOptions(user, of, draft, options))
      const status = followed.received[0]?.status ?? 0
      const words = followed.failure ?? (status >= 400 ? `${request.url.href} answered ${status}` : null)
      const isLeftOut = isOptional && followed.received.length === 0
      if (words !== null && isLeftOut) draft.say(`Not loaded: ${words}`)
      if (words !== null && !isLeftOut) failures.push(words)
      return { id, followed }
    })
    for (const { id, followed } of results) {
      draft.sentAt ??= followed.sentAt
      if (followed.answeredAt !== null)
        draft.answeredAt = Math.max(draft.answeredAt ?? 0, followed.answeredAt)
      draft.sentBytes += followed.sentBytes
      draft.receivedBytes += followed.receivedBytes
      for (const each of followed.exchanges)
        draft.exchanges.push({ ...each, role: 'resource', resourceId: id })
    }
    if (failures.length > 0)
      draft.fail(
        `${failures.length} of ${waiting.length} embedded resources failed: ${failures.slice(0, 3).join('; ')}`,
        'other',
      )
  }
}

/** Without an assertion about its status, an answer that refuses makes a request fail. */
export function judgeStatus({ hasStatusAssertion }: RequestParts, received: Received, told: Told): void {
  const status = received.status ?? 0
  if (status >= 400 && !hasStatusAssertion)
    told.fail(
      `The server answered ${received.statusLine}, with ${received.bodyWords}`,
      status >= 500 ? 'status_5xx' : 'status_4xx',
    )
}

/** What would have been found is not there; what was found by an earlier request would be wrong. */
export function loseAll(action: ActionOf<'http_request'>, user: User): void {
  for (const extractor of action.extractors)
    if (extractor.enabled)
      user.variables.lose(
        extractor.variable,
        `“${action.name || action.id}”, which has to find it, got no answer.`,
      )
}

function compileResource(resource: EmbeddedResource, compiler: Compiler): CompiledResource {
  return {
    id: resource.id,
    server: compiler.server(resource.server_id),
    path: compiler.template(resource.path),
    headers: compiler.fields(resource.headers),
  }
}

/** Those of the server, and those of the request instead of them where they have the same name. */
function requestHeaders(
  server: CompiledServer,
  headers: readonly CompiledField[],
  expand: (template: CompiledTemplate) => string,
): HeaderList {
  const fill = (fields: readonly CompiledField[]): HeaderList =>
    fields.map(([name, value]) => [expand(name), expand(value)])
  const own = fill(headers)
  return [...fill(server.headers).filter(([name]) => headerOf(own, name) === undefined), ...own]
}

function withContentType(
  headers: HeaderList,
  body: { contentType: string | null; isTypeGiven: boolean } | null,
): HeaderList {
  if (body === null || body.contentType === null) return headers
  if (!body.isTypeGiven && headerOf(headers, 'content-type') !== undefined) return headers
  return [...withoutHeaders(headers, /^content-type$/i), ['content-type', body.contentType]]
}

function followOptions(
  user: User,
  server: CompiledServer,
  draft: ResultDraft,
  rest: Pick<FollowOptions, 'redirectsMax' | 'timeoutMs' | 'bytesMax'>,
): FollowOptions {
  const origin = originOf(server, user)
  return {
    ...rest,
    bodies: draft.bodies,
    authorization: user.authorization,
    signal: user.plan.signal,
    transportTo: (url) => (url.origin === origin ? server.transport : transportTo(url, user)),
    credentialsFor: (url) => (url.origin === origin ? credentialsOf(server, user) : undefined),
  }
}

/** What is known of the servers of the document counts where a redirect leads to one of them. */
export function transportTo(url: URL, user: User) {
  return (
    user.program.servers.find((server) => originOf(server, user) === url.origin)?.transport ??
    user.program.usualTransport
  )
}

export function originOf(server: CompiledServer, user: User): string | undefined {
  try {
    return URL.parse(baseOf(server, user.expand))?.origin
  } catch (error) {
    // Of a server that this request does not ask.
    if (error instanceof ActionFailure) return undefined
    throw error
  }
}

export function credentialsOf({ authentication }: CompiledServer, user: User): Credentials | undefined {
  switch (authentication.type) {
    case 'none':
      return undefined
    case 'bearer':
      return { type: 'bearer', token: user.expand(authentication.token) }
    default: {
      const { type } = authentication
      return {
        type,
        userName: user.expand(authentication.userName),
        password: user.expand(authentication.password),
      }
    }
  }
}

/** The last exchange is the main one, and is told first. */
function tellMain(draft: ResultDraft, followed: Followed): void {
  draft.status = followed.exchanges.at(-1)?.exchange.response?.status ?? null
  draft.sentAt = followed.sentAt
  draft.answeredAt = followed.answeredAt
  draft.sentBytes += followed.sentBytes
  draft.receivedBytes += followed.receivedBytes
  if (followed.isRenewed) draft.say('The server answered 304: what the cache has still holds, and was used.')
  const main = followed.exchanges.at(-1)
  for (const each of main === undefined ? [] : [main, ...followed.exchanges.slice(0, -1)])
    draft.exchanges.push({ ...each, resourceId: null })
}

/** At most so many at once; results in the order of the items. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const entries = items.entries()
  const work = async () => {
    for (const [index, item] of entries) results[index] = await task(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return results
}
