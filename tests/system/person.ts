import { randomInt } from 'node:crypto'
import { createClient, type Client } from '@flamegate/client'
import { operations, type Scope } from '@flamegate/contract'
import { inject } from 'vitest'
import type { RunningPlatform } from './global-setup.ts'

/** Somebody with an account, logged in as the web pages do it. */
export interface Person {
  email: string
  password: string
  cookie: string
  userId: string
  client: Client
  /** The workspace that came with the account. */
  workspaceId: string
}

let counter = 0

let instead: RunningPlatform | undefined

/** Which platform the helpers of tests speak to: the one that vitest booted, but in programs that started their own. */
export function platform(): RunningPlatform {
  return instead ?? inject('platform')
}

/** For programs that no vitest runs. */
export function usePlatform(started: RunningPlatform): void {
  instead = started
}

/** Signs somebody up; with an invitation they join that workspace too. */
export async function signUp(name: string, invitation?: string): Promise<Person> {
  const { url } = platform()
  const email = `${name.toLowerCase()}-${process.pid}-${Date.now()}-${++counter}@example.com`
  return signUpAs(url, name, email, invitation)
}

export async function signUpAs(
  url: string,
  name: string,
  email: string,
  invitation?: string,
  password = `correct horse ${name}`,
): Promise<Person> {
  const response = await fetch(`${url}/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, 'x-forwarded-for': ownAddress() },
    body: JSON.stringify({ name, email, password, ...(invitation === undefined ? {} : { invitation }) }),
  })
  if (response.status !== 201)
    throw new Error(`sign-up answered ${response.status}: ${await response.text()}`)
  return personOf(url, email, password, cookieOf(response))
}

/** One of the addresses that are nobody's, but for measuring (RFC 2544): one may sign up only so many people in an hour. */
function ownAddress(): string {
  const [low, high] = [randomInt(256), randomInt(256)]
  return `198.18.${high}.${low}`
}

export async function logIn(email: string, password: string, url = platform().url): Promise<Person> {
  const response = await fetch(`${url}/auth/log-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`log-in answered ${response.status}: ${await response.text()}`)
  return personOf(url, email, password, cookieOf(response))
}

async function personOf(url: string, email: string, password: string, cookie: string): Promise<Person> {
  const client = createClient({ baseUrl: url, headers: { cookie, origin: url } })
  const me = await client.call(operations.getCurrentUser, {})
  const workspaceId = me.workspaces.find((workspace) => workspace.role === 'owner')?.id ?? ''
  return { email, password, cookie, client, workspaceId, userId: me.user.id }
}

function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** Makes somebody a member of a workspace, by invitation as the page does it. */
export async function invite(
  owner: Person,
  role: 'viewer' | 'member' | 'admin',
  name: string,
): Promise<Person> {
  const { url } = platform()
  const email = `${name.toLowerCase()}-${process.pid}-${Date.now()}-${++counter}@example.com`
  const invited = await owner.client.call(operations.setWorkspaceMember, {
    workspace_id: owner.workspaceId,
    email,
    role,
  })
  const token = new URL(invited.invitation_url ?? '').searchParams.get('token') ?? ''
  return signUpAs(url, name, email, token)
}

/** An API token of that person in their workspace (or another one). */
export async function apiToken(
  person: Person,
  scopes: Scope[],
  workspaceId = person.workspaceId,
): Promise<string> {
  const { secret } = await person.client.call(operations.createApiToken, {
    workspace_id: workspaceId,
    name: 'test',
    scopes,
  })
  return secret
}

/** A token for agents of load of their workspace. */
export async function agentToken(person: Person): Promise<string> {
  const { token } = await person.client.call(operations.getAgentInstallCommand, {
    workspace_id: person.workspaceId,
  })
  return token
}

/** As such an agent. */
export async function agentClient(person: Person): Promise<Client> {
  return createClient({ baseUrl: platform().url, token: await agentToken(person) })
}
