import type { Caller, Role } from '@flamegate/contract'

/** What the identity provider of a workspace proves itself with; one a workspace. */
export interface ScimToken {
  id: string
  workspaceId: string
  prefix: string
  /** Of whoever is made a member. */
  defaultRole: Exclude<Role, 'owner'>
  createdAt: Date
  lastUsedAt: Date | null
}

/** What an identity provider says about a person. */
export interface ScimAttributes {
  /** As it calls them, often an e-mail address; a workspace has it once, whatever its case. */
  userName: string
  /** Its own id of them. */
  externalId: string | null
  displayName: string | null
  givenName: string | null
  familyName: string | null
}

/** A person whom the identity provider of a workspace sees. */
export interface ScimPerson extends ScimAttributes {
  userId: string
  /** Of the account, in lower case; of who is no member, as it was when it was last written. */
  email: string
  /** Whether they are a member. */
  isActive: boolean
  /** Whether the provider has said anything about them. */
  isProvisioned: boolean
  createdAt: Date
  updatedAt: Date
}

/** What people can be looked for by: all of these have to be right. */
export type ScimQuery = Partial<Record<'userId' | 'userName' | 'externalId' | 'email', string>>

/**
 * Provisioning of one workspace. Its identity provider sees whom it provisioned, and members with an address of a domain that the
 * workspace proved; guests with other addresses it does not.
 */
export interface ScimStore {
  findToken(caller: Caller, workspaceId: string): Promise<ScimToken | undefined>
  /** In place of the one that there is. */
  setToken(
    caller: Caller,
    token: Pick<ScimToken, 'id' | 'workspaceId' | 'prefix' | 'defaultRole'> & { tokenHash: string },
  ): Promise<void>
  removeToken(caller: Caller, workspaceId: string): Promise<boolean>

  /** Oldest first, and how many there are of whom `skip` are left out before. */
  list(
    caller: Caller,
    workspaceId: string,
    query: ScimQuery,
    page: { skip: number; limit: number },
  ): Promise<{ people: ScimPerson[]; total: number }>
  /** Throws `Conflict('userName')` when another person of the workspace is called so. */
  save(
    caller: Caller,
    workspaceId: string,
    person: ScimAttributes & Pick<ScimPerson, 'userId' | 'email'>,
  ): Promise<void>
  /** Forgets what was said about a person. */
  forget(caller: Caller, workspaceId: string, userId: string): Promise<void>
}

/** The same, for what only authentication may. */
export interface ScimEntrance {
  /** Whose a secret is; undefined when it is nobody's. Notes the use (at most once a minute). */
  findToken(tokenHash: string): Promise<ScimToken | undefined>
  /** Makes a person a member; who is one keeps the role they have. Their invitation is void. */
  join(workspaceId: string, userId: string, role: Role): Promise<void>
}
