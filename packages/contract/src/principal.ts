import type { Role } from './role.ts'
import type { Scope } from './scope.ts'
import type { Toolset } from './toolset.ts'

/**
 * Who is calling, as proved by a credential at the edge. It travels from the gateway to the API inside a
 * short-lived signed assertion; the credential itself never does.
 */
export interface Principal {
  /** The person in whose name everything happens (`usr_…`). An API token acts as the member who made it, and so does a public link. */
  userId: string
  /** How the caller proved who they are. */
  via: 'session' | 'oauth' | 'api_token' | 'share_link'
  /** OAuth client id, API token id, or `web`: what `search_audit_log` and `list_connected_apps` show. */
  clientId: string
  /** The name people know that client by. */
  clientName: string
  scopes: readonly Scope[]
  /** Workspaces that the credential is limited to; undefined means every workspace of the person. */
  workspaceIds?: readonly string[]
  /** The one project that there is for this caller: the address that they came by is about nothing else. */
  projectId?: string
  /** The one live app that there is for this caller: their token can push to it, and do nothing else. */
  liveAppId?: string
  /** Toolsets that the person chose when they allowed the client; undefined means all of them. */
  toolsets?: readonly Toolset[]
  /** The person allowed nothing but reading, whatever the scopes say. */
  isReadOnly?: boolean
  /** Scopes of the API token behind the token of a machine that asked for less: it may ask again, for more. */
  reachableScopes?: readonly Scope[]
  /** OAuth grant that the token came from; revoking it ends the token at once. */
  grantId?: string
}

/** A principal together with what they are in each workspace: what storage ports take first. */
export interface Caller {
  principal: Principal
  /** Role per workspace id, already narrowed to what the credential may reach. */
  roles: ReadonlyMap<string, Role>
  /** The most this call may do; a `read` operation cannot write a row even by mistake. */
  access: 'read' | 'write' | 'admin'
  /** Of a reading call: aborted when nobody waits for its answer any more. What writes is finished. */
  signal?: AbortSignal | undefined
}
