import type { Caller, Role } from '@flamegate/contract'

/** Log-in with an OpenID provider of a workspace's own. */
export interface SsoSettings {
  workspaceId: string
  issuer: string
  clientId: string
  sealedClientSecret: string
  /** Of whoever comes for the first time. */
  defaultRole: Exclude<Role, 'owner'>
  /** Whether it is the only way in for members with an address of the workspace's domains. */
  isRequired: boolean
  /** Owners log in as before all the same. */
  ownersKeepOtherWays: boolean
  /** When somebody last came in with this issuer and client. */
  workedAt: Date | null
}

/** A domain of e-mail addresses that a workspace proves to be its own. */
export interface SsoDomain {
  domain: string
  token: string
  /** How it was proved; null: it was not. */
  method: 'dns' | 'settings' | null
  verifiedAt: Date | null
  checkedAt: Date | null
  /** What was there instead of the token. */
  failure: string | null
}

export type SsoDomainProof = { method: 'dns' | 'settings' } | { failure: string }

/** The settings, as owners of workspaces see and change them. */
export interface SsoSettingsStore {
  find(caller: Caller, workspaceId: string): Promise<SsoSettings | undefined>
  set(caller: Caller, settings: SsoSettings): Promise<void>
  remove(caller: Caller, workspaceId: string): Promise<boolean>
  /** By name. */
  listDomains(caller: Caller, workspaceId: string): Promise<SsoDomain[]>
  /** The one that there is, when there is one already. */
  addDomain(
    caller: Caller,
    workspaceId: string,
    domain: Pick<SsoDomain, 'domain' | 'token'>,
  ): Promise<SsoDomain>
  /** Notes what a look gave. Throws `Conflict('domain')` when another workspace proved it; undefined when it is gone. */
  noteCheck(
    caller: Caller,
    workspaceId: string,
    domain: string,
    proof: SsoDomainProof,
  ): Promise<SsoDomain | undefined>
  removeDomain(caller: Caller, workspaceId: string, domain: string): Promise<boolean>
  /** The members who came in from an issuer. */
  listMemberIds(caller: Caller, workspaceId: string, issuer: string): Promise<string[]>
}

/** Where somebody logs in. */
export type SsoConnection = Pick<
  SsoSettings,
  'workspaceId' | 'issuer' | 'clientId' | 'sealedClientSecret' | 'defaultRole'
> & { slug: string }

/** The same, as the sign-in pages use it. */
export interface SsoStore {
  find(workspaceId: string): Promise<SsoConnection | undefined>
  findBySlug(slug: string): Promise<SsoConnection | undefined>
  /** Of the workspace that proved the domain. */
  findByDomain(domain: string): Promise<SsoConnection | undefined>
  /** Whether any workspace has a provider. */
  isInUse(): Promise<boolean>
  hasDomain(workspaceId: string, domain: string): Promise<boolean>
  /** The provider that is the only way in for a person. */
  findRequired(userId: string): Promise<SsoConnection | undefined>
  /** Whose the account at the workspace's provider is. */
  findPerson(identity: SsoIdentity): Promise<string | undefined>
  /**
   * Makes the person a member, if they are none, remembers who they are at the provider, and notes that it worked. Their
   * invitation is void. Throws `Conflict('subject')` when somebody else is that, `Conflict('issuer')` when the person is
   * somebody else there.
   */
  join(identity: SsoIdentity & { userId: string; role: Role }): Promise<{ hasJoined: boolean }>
  /** Whether there is a provider that lets the person in. */
  letsIn(userId: string): Promise<boolean>
}

/** Who somebody is at the provider of a workspace. */
export interface SsoIdentity {
  workspaceId: string
  /** `iss` */
  issuer: string
  /** `sub` */
  subject: string
}

/** One thing that has to be right for log-ins to work. */
export interface SsoCheck {
  name: 'issuer' | 'keys' | 'client' | 'clock'
  isOk: boolean
  /** What was found; of the other side nothing but its answer's shape. */
  detail: string
}

/** What the installation does for single sign-on. */
export interface SsoRules {
  /** Whether its settings say that the domain is the workspace's. */
  isTrusted(workspaceId: string, domain: string): boolean
  /** Whether the issuer may be asked: by https, or where the installation allows its host. */
  mayAsk(issuer: string): boolean
  /** Looks for the token in the domain's DNS. */
  findProof(domain: string, token: string): Promise<SsoDomainProof>
  /** Asks the provider, as a log-in does, in order; what could not be asked any more is left out. */
  check(
    provider: { issuer: string; clientId: string; clientSecret: string },
    redirectUri: string,
  ): Promise<SsoCheck[]>
}
