import { literal, type Field } from '../../model/template.ts'
import type { RequestBody } from '../../model/request.ts'
import type { ImportContext } from '../importer.ts'
import { readQuery } from '../address.ts'
import type { ServerDrafts } from '../server-drafts.ts'
import { basicAuthentication, basicCredentials } from './basic-authentication.ts'
import type { Draft } from './draft.ts'
import { ProposedVariables } from './proposed-variables.ts'
import { liftHeaders, sentHeaders, type WithHeaders } from './sent-headers.ts'

/** What a request sends where, in the words of the model. */
export interface RequestParts extends WithHeaders {
  path: string
  query: Field[]
  body: RequestBody | null
}

/** The parts of all requests, with what they have in common told where it belongs. */
export interface AllParts {
  partsOf: (draft: Draft) => RequestParts
  /** Of all requests; null where there are several. */
  userAgent: string | null
  variables: ProposedVariables
}

/**
 * Makes the parts of the requests that virtual users make, and the servers that they go to: headers of the client
 * that all requests of a server share are the server's, and so is Basic authentication.
 */
export function makeParts(
  drafts: readonly Draft[],
  { context, servers }: { context: ImportContext; servers: ServerDrafts },
): AllParts {
  const variables = new ProposedVariables(context)
  const parts = new Map(drafts.map((draft) => [draft, partsOf(draft, variables, servers)]))
  const userAgent = takeUserAgent([...parts.values()])
  const credentials = takeCredentials(parts, variables)
  const lifted = liftHeaders([...parts.values()])
  for (const server of servers.all()) {
    const own = credentials.get(server.id)
    server.document = {
      ...server.document,
      headers: lifted.get(server.id) ?? [],
      ...(own === undefined ? {} : { authentication: basicAuthentication(own, variables) }),
      ...(isHttp2(drafts, server.document.base_url) ? { http_version: 'h2' as const } : {}),
    }
  }
  return { partsOf: (draft) => parts.get(draft)!, userAgent, variables }
}

/** The origin that a socket is opened at is that of HTTP. */
export function originOf({ url }: Draft): string {
  return `${url.protocol === 'wss:' || url.protocol === 'https:' ? 'https' : 'http'}://${url.host}`
}

function partsOf(draft: Draft, variables: ProposedVariables, servers: ServerDrafts): RequestParts {
  const { fate, url, isVerified } = draft
  const proposed = variables.inBody(draft.sent, { isVerified })
  fate.remarks.push(...proposed.remarks)
  const { query, behindPath } = readQuery(url.search.slice(1))
  const fields = query.map(({ name, value }) => ({
    name: literal(name),
    value: literal(value),
  }))
  return {
    serverId: servers.idOf(originOf(draft)),
    path: `${literal(url.pathname)}${variables.inAddress(literal(behindPath))}`,
    query: variables.inQuery(fields, { isVerified }),
    headers: sentHeaders(draft.headers, draft.sent).map(({ name, value }) => ({
      name,
      value: name.toLowerCase() === 'referer' ? variables.inAddress(value) : value,
    })),
    body: proposed.body,
  }
}

/** Takes the one user agent away from all of them. */
function takeUserAgent(parts: readonly RequestParts[]): string | null {
  const found = new Set(parts.flatMap(({ headers }) => headers.filter(isUserAgent).map(({ value }) => value)))
  const [only] = found
  if (found.size !== 1 || only === undefined || only.length > 500) return null
  for (const each of parts) each.headers = each.headers.filter((header) => !isUserAgent(header))
  return only
}

function isUserAgent({ name }: Field): boolean {
  return name.toLowerCase() === 'user-agent'
}

/** The first credentials for each server, taken away from the requests that send them; others become a secret. */
function takeCredentials(
  parts: ReadonlyMap<Draft, RequestParts>,
  variables: ProposedVariables,
): Map<string, string> {
  const byServer = new Map<string, string>()
  for (const [draft, request] of parts) {
    const credentials = basicCredentials(draft)
    if (credentials === undefined) continue
    const known = byServer.get(request.serverId)
    if (known === undefined) byServer.set(request.serverId, credentials)
    const isOther = known !== undefined && known !== credentials
    const variable = isOther ? variables.secret(literal(Buffer.from(credentials).toString('base64'))) : ''
    request.headers = request.headers.flatMap((header) => {
      if (header.name.toLowerCase() !== 'authorization') return [header]
      return isOther ? [{ name: header.name, value: `Basic \${${variable}}` }] : []
    })
    draft.fate.remarks.push(
      isOther
        ? `It has a Basic authentication of its own: give \${${variable}} the base64 of user:password.`
        : 'Its Basic authentication is that of the server.',
    )
  }
  return byServer
}

function isHttp2(drafts: readonly Draft[], origin: string): boolean {
  const versions = drafts.filter((draft) => originOf(draft) === origin).map(({ httpVersion }) => httpVersion)
  const known = versions.filter((version) => version !== null)
  return known.length > 0 && known.every((version) => /^(?:h[23]|HTTP\/[23])/i.test(version))
}
