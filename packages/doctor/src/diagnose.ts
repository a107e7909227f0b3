import { checkAddress } from './checks/address.ts'
import { checkAuthorizationRequests } from './checks/authorization-request.ts'
import type { AuthorizationParameters } from './checks/authorization-request.ts'
import { checkAuthorizationServer } from './checks/authorization-server.ts'
import { checkUnauthenticated } from './checks/challenge.ts'
import { checkConversation } from './checks/conversation.ts'
import { checkLogIn } from './checks/log-in.ts'
import type { AskPerson } from './checks/log-in.ts'
import { checkRegistration, unregister } from './checks/registration.ts'
import type { RegisteredClient } from './checks/registration.ts'
import { checkResourceMetadata } from './checks/resource-metadata.ts'
import { exchangeOver } from './exchange.ts'
import type { Exchange, Send } from './exchange.ts'
import { skipped } from './finding.ts'
import type { Finding } from './finding.ts'

export interface DiagnoseOptions {
  /** The MCP endpoint, as people type it into their client. */
  url: string
  send: Send
  /** Speaks with the server in the name of its holder. */
  token?: string
  /** Where a browser on this computer is sent back to, and how a person gets there; no log-in without it. */
  person?: { redirectUri: string; ask: AskPerson }
}

interface Examination extends Omit<DiagnoseOptions, 'send'> {
  send: Exchange
}

/** What is right and wrong with an MCP server's connection, in the order in which a client meets it. */
export interface Diagnosis {
  url: string
  /** `broken` when any check failed, `stumbles` when there are warnings. */
  verdict: 'healthy' | 'stumbles' | 'broken'
  findings: Finding[]
}

/**
 * Does what clients do: asks without a token, reads where to log in, registers, begins a log-in, and, with a token or
 * a person, speaks with the server. It registers a client, or a few where it must, and removes them again where the
 * server lets it; what is left behind is a finding.
 * @throws RangeError when `url` is no http or https address.
 */
export async function diagnose(options: DiagnoseOptions): Promise<Diagnosis> {
  const url = URL.parse(options.url.trim())
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new RangeError('This is no address. Give one such as https://example.com/mcp.')
  }
  const findings: Finding[] = [checkAddress(url)]
  const registered: RegisteredClient[] = []
  const send = exchangeOver(options.send)
  await examine({ ...options, send, url: options.url.trim() }, findings, registered)
  findings.push(...(await unregister(send, registered)))
  const has = (status: Finding['status']) => findings.some((finding) => finding.status === status)
  return {
    url: options.url.trim(),
    verdict: has('failed') ? 'broken' : has('warning') ? 'stumbles' : 'healthy',
    findings,
  }
}

async function examine(
  options: Examination,
  findings: Finding[],
  registered: RegisteredClient[],
): Promise<void> {
  const { url, send, person } = options
  let { token } = options
  const unauthenticated = await checkUnauthenticated(send, url)
  findings.push(...unauthenticated.findings)
  if (unauthenticated.isOpen) {
    findings.push(...(await checkConversation(send, url, token)))
    return
  }
  if (!unauthenticated.isReached) return
  const parameters = await examineAuthorization(options, unauthenticated.challenge, findings, registered)
  if (token === undefined && person !== undefined && parameters !== undefined) {
    const loggedIn = await checkLogIn(send, parameters, person.ask)
    findings.push(...loggedIn.findings)
    token = loggedIn.token
  }
  findings.push(
    ...(token === undefined
      ? [skipped('conversation', 'The server speaks MCP', 'Nobody logged in, and there was no token to try.')]
      : await checkConversation(send, url, token)),
  )
}

/** Undefined when a log-in cannot even begin. */
async function examineAuthorization(
  { url, send, person }: Examination,
  challenge: { resourceMetadata: string | undefined; scope: string | undefined } | undefined,
  findings: Finding[],
  registered: RegisteredClient[],
): Promise<AuthorizationParameters | undefined> {
  const resource = await checkResourceMetadata(send, url, challenge?.resourceMetadata)
  findings.push(...resource.findings)
  if (!resource.metadata) return undefined
  const { server, findings: ofServer } = await checkAuthorizationServer(
    send,
    resource.metadata.authorizationServer,
  )
  findings.push(...ofServer)
  if (!server) return undefined
  if (server.registrationEndpoint === undefined) {
    findings.push(skipped('registration', 'Clients can register', 'There is no registration endpoint.'))
    return undefined
  }
  const redirectUri = person?.redirectUri ?? 'http://127.0.0.1:49320/callback'
  const scope = challenge?.scope ?? (resource.metadata.scopes.join(' ') || undefined)
  const registration = await checkRegistration(send, server.registrationEndpoint, {
    server,
    scope,
    redirectUris: [redirectUri, 'http://localhost:49320/oauth/callback'],
  })
  findings.push(...registration.findings)
  registered.push(...registration.registered)
  const client = registration.registered.find(({ redirectUris }) => redirectUris.includes(redirectUri))
  if (!client) return undefined
  const { clientId } = client
  const parameters = { server, clientId, redirectUri, resource: resource.metadata.resource, scope }
  findings.push(...(await checkAuthorizationRequests(send, parameters)))
  return parameters
}
