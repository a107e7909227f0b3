import { ApiProblem, ApiUnreachable, readProblem } from '@flamegate/client'
import type { Scope } from '@flamegate/contract'

/** The gateway's endpoints of sign-in and consent; they are about this browser, so they are no operations. */

export interface Session {
  user: { id: string; email: string; name: string }
  expires_at: string
}

/** What an app asks for, as `GET /auth/interactions/:uid` tells it. */
export interface ConsentRequest {
  client: { client_id: string; name: string; uri?: string; verified: boolean }
  redirect_host: string
  /** The answer goes to a program on the person's own machine. */
  is_loopback: boolean
  scopes: { scope: Scope; description: string }[]
  resource: string
  user: { email: string; name: string }
}

export interface SignUpInput {
  name: string
  email: string
  password: string
  invitation?: string | undefined
}

export async function signUp(input: SignUpInput): Promise<Session & { joined_workspace_id: string | null }> {
  return JSON.parse(await post('/auth/sign-up', input))
}

export async function logIn(input: { email: string; password: string }): Promise<Session> {
  return JSON.parse(await post('/auth/log-in', input))
}

/** Who is logged in; null for nobody. */
export async function fetchSession(signal: AbortSignal): Promise<Session | null> {
  try {
    return JSON.parse(await send('/auth/session', { signal }))
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null
    throw error
  }
}

/** Makes the person who is logged in a member of the workspace that invited them. */
export async function join(invitation: string): Promise<{ joined_workspace_id: string }> {
  return JSON.parse(await post('/auth/join', { invitation }))
}

export async function logOut(): Promise<void> {
  await post('/auth/log-out', {})
}

export async function fetchConsentRequest(uid: string, signal: AbortSignal): Promise<ConsentRequest> {
  return JSON.parse(await send(`/auth/interactions/${encodeURIComponent(uid)}`, { signal }))
}

/** Answers where the browser goes on: back to the app, by way of the authorization server. */
export async function decideConsent(
  uid: string,
  decision: 'allow' | 'deny',
): Promise<{ redirect_to: string }> {
  return JSON.parse(await post(`/auth/interactions/${encodeURIComponent(uid)}/${decision}`, {}))
}

function post(path: string, body: object): Promise<string> {
  return send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
}

async function send(path: string, init: RequestInit): Promise<string> {
  const response = await fetch(path, init).catch((cause: unknown) => {
    init.signal?.throwIfAborted()
    throw new ApiUnreachable('The server could not be reached.', { cause })
  })
  if (!response.ok) throw await readProblem(response)
  return response.text()
}
