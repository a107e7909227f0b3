import type { Scope, Toolset } from '@flamegate/contract'
import { ask, tell } from './gateway.ts'

/** What a person leaves a client; null is all, also what comes later. */
export interface Choices {
  workspace_ids: readonly string[] | null
  toolsets: readonly Toolset[] | null
  read_only: boolean
}

export interface Allowance extends Choices {
  additional_scopes: readonly Scope[]
}

/** What there is to choose from, and what was chosen before. */
export interface ChoicesOffer {
  workspaces: { id: string; name: string }[]
  toolsets: { toolset: Toolset; description: string }[]
  choices: Choices
}

/** What a client asks for, in words, and what else it can be given. */
export interface AllowanceRequest extends ChoicesOffer {
  client: { client_id: string; name: string; uri?: string; verified: boolean }
  scopes: { scope: Scope; description: string }[]
  additional_scopes: { scope: Scope; description: string }[]
  user: { email: string; name: string }
}

/** A client that waits behind the consent page. */
export interface ConsentRequest extends AllowanceRequest {
  redirect_host: string
  /** The answer goes to a program on the person's own machine. */
  is_loopback: boolean
}

/** A program that showed a code. */
export interface DeviceRequest extends AllowanceRequest {
  user_code: string
}

const interaction = (uid: string) => `/auth/interactions/${encodeURIComponent(uid)}`

export async function fetchConsentRequest(uid: string, signal: AbortSignal): Promise<ConsentRequest> {
  return JSON.parse(await ask(interaction(uid), signal))
}

/** Answers where the browser goes on: back to the app, by way of the authorization server. */
export async function allow(uid: string, allowance: Allowance): Promise<{ redirect_to: string }> {
  return JSON.parse(await tell('POST', `${interaction(uid)}/allow`, allowance))
}

export async function deny(uid: string): Promise<{ redirect_to: string }> {
  return JSON.parse(await tell('POST', `${interaction(uid)}/deny`, {}))
}

export async function findDeviceRequest(userCode: string): Promise<DeviceRequest> {
  return JSON.parse(await tell('POST', '/auth/device/find', { user_code: userCode }))
}

export async function allowDevice(userCode: string, allowance: Allowance): Promise<void> {
  await tell('POST', '/auth/device/allow', { user_code: userCode, ...allowance })
}

export async function denyDevice(userCode: string): Promise<void> {
  await tell('POST', '/auth/device/deny', { user_code: userCode })
}

const choicesOf = (appId: string) => `/auth/connected-apps/${encodeURIComponent(appId)}/choices`

export async function fetchChoices(appId: string, signal: AbortSignal): Promise<ChoicesOffer> {
  return JSON.parse(await ask(choicesOf(appId), signal))
}

export async function changeChoices(appId: string, choices: Choices): Promise<void> {
  await tell('PUT', choicesOf(appId), choices)
}
