import { ApiProblem } from '@flamegate/client'
import { ask, tell } from './gateway.ts'

/** The gateway's endpoints of sign-in. */

export interface Session {
  user: { id: string; email: string; name: string }
  expires_at: string
}

/** What somebody was invited with: the secret of a link that was handed on, or the id in a mail. */
export interface Invitation {
  invitation?: string | undefined
  invitation_id?: string | undefined
}

export interface SignUpInput extends Invitation {
  name: string
  email: string
  password: string
}

/** Logged in at once, or to be when the address is confirmed: a mail says how, whether or not it has an account. */
export type SignedUp =
  | (Session & { joined_workspace_id: string | null })
  | { next: 'confirm_email'; email: string }

export async function signUp(input: SignUpInput): Promise<SignedUp> {
  return JSON.parse(await tell('POST', '/auth/sign-up', input))
}

/** Logged in, or asked for a one-time code as well. */
export type Admission = Session | { next: 'second_factor' }

export async function logIn(input: { email: string; password: string }): Promise<Admission> {
  return JSON.parse(await tell('POST', '/auth/log-in', input))
}

export async function logInWithCode(code: string): Promise<Session> {
  return JSON.parse(await tell('POST', '/auth/log-in/code', { code }))
}

export interface WaysToLogIn {
  /** Whether browsers do passkeys at this address. */
  passkeys: boolean
  sign_ins: { id: string; name: string }[]
  /** Whether workspaces have providers of their own. */
  sso: boolean
}

export async function fetchWays(signal: AbortSignal): Promise<WaysToLogIn> {
  return JSON.parse(await ask('/auth/ways', signal))
}

/** Where the browser goes to log in with another service, and comes back from to go on. */
export async function beginSignIn(
  id: string,
  goOn: { interaction?: string | undefined; return_to?: string | undefined },
): Promise<{ redirect_to: string }> {
  return JSON.parse(await tell('POST', `/auth/sign-ins/${id}`, goOn))
}

/** The same with the provider of a workspace, which an address or a short name tells. */
export async function beginSso(
  input: ({ email: string } | { workspace: string }) & {
    interaction?: string | undefined
    return_to?: string | undefined
  },
): Promise<{ redirect_to: string }> {
  return JSON.parse(await tell('POST', '/auth/sso', input))
}

/** The password is needed in every browser but the one that signed up: `proof_needed` says so. */
export async function verifyEmail(input: {
  token: string
  password?: string | undefined
}): Promise<{ email: string; joined_workspace_id: string | null }> {
  return JSON.parse(await tell('POST', '/auth/verify-email', input))
}

/** Takes the link that a new address got, for whoever is logged in. */
export async function changeEmail(token: string): Promise<{ email: string }> {
  return JSON.parse(await tell('POST', '/auth/change-email', { token }))
}

/** Takes the link that the former address got. The answer leads to where the person chooses a new password. */
export async function undoEmailChange(token: string): Promise<{ email: string; redirect_to: string }> {
  return JSON.parse(await tell('POST', '/auth/undo-email-change', { token }))
}

export async function forgotPassword(email: string): Promise<{ email: string }> {
  return JSON.parse(await tell('POST', '/auth/forgot-password', { email }))
}

export async function resetPassword(input: {
  token: string
  password: string
  end_connected_apps: boolean
}): Promise<{ email: string }> {
  return JSON.parse(await tell('POST', '/auth/reset-password', input))
}

/** Who is logged in; null for nobody. */
export async function fetchSession(signal: AbortSignal): Promise<Session | null> {
  try {
    return JSON.parse(await ask('/auth/session', signal))
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null
    throw error
  }
}

/** Makes the person who is logged in a member of the workspace that invited them. */
export async function join(invitation: Invitation): Promise<{ joined_workspace_id: string }> {
  return JSON.parse(await tell('POST', '/auth/join', invitation))
}

export async function logOut(): Promise<void> {
  await tell('POST', '/auth/log-out', {})
}
