import type { Principal } from '@flamegate/contract'

/**
 * What a person left a client when they allowed it, as its access tokens carry it. A part that is undefined is not
 * limited: all workspaces, also future ones; all toolsets; writing as far as the scopes go.
 */
export type GrantChoices = Pick<Principal, 'workspaceIds' | 'toolsets' | 'isReadOnly'>

export interface VersionedChoices {
  choices: GrantChoices
  /** How often the person changed them; 0 at first. */
  version: number
}

/** What people chose for the clients that act for them. */
export interface GrantStore {
  /** Undefined when the person has no such grant, or not any more. */
  findChoices(userId: string, grantId: string): Promise<GrantChoices | undefined>
  /** The same with how often they were changed, as tokens say both. */
  findVersionedChoices(userId: string, grantId: string): Promise<VersionedChoices | undefined>
  /** What the person chose for this client the last time that they allowed it, if that still stands. */
  findLatestChoices(userId: string, clientId: string): Promise<GrantChoices | undefined>
  /** Tokens that say something else are refused within a second, on every process. False when there is no such grant. */
  changeChoices(userId: string, grantId: string, choices: GrantChoices): Promise<boolean>
  /** What there is to choose from: the workspaces that the person is a member of, by name. */
  listWorkspaces(userId: string): Promise<{ id: string; name: string }[]>
}
