import type { Caller } from '@flamegate/contract'

/** A host that a project wants to aim virtual users at, with the token that proves that it may. */
export interface Target {
  id: string
  workspaceId: string
  projectId: string
  /** As readTargetHost gives it: `shop.example.com`, `shop.example.com:8443`, `*.example.com`. */
  host: string
  token: string
  /** Where the token was; null when it was not there at the last look. */
  method: 'file' | 'dns' | null
  verifiedAt: Date | null
  /** Null: nobody looked yet. */
  checkedAt: Date | null
  /** What was there instead of the token. */
  failure: string | null
  createdAt: Date
}

/** How the token was found, or what was there instead. */
export type TargetProof = { method: 'file' | 'dns' } | { failure: string }

export interface TargetStore {
  /** By host. */
  list(caller: Caller, projectId: string): Promise<Target[]>
  find(caller: Caller, id: string): Promise<Target | undefined>
  findByHost(caller: Caller, projectId: string, host: string): Promise<Target | undefined>
  /** The one that the project has of that host, when it has one already. */
  create(
    caller: Caller,
    target: Pick<Target, 'id' | 'workspaceId' | 'projectId' | 'host' | 'token'>,
  ): Promise<Target>
  /** Notes what a look at the host gave; what was verified is not so any more when the token is gone. Undefined when it is. */
  noteCheck(caller: Caller, id: string, proof: TargetProof): Promise<Target | undefined>
  remove(caller: Caller, id: string): Promise<boolean>
}

/** What the installation says of hosts that virtual users are aimed at. */
export interface TargetRules {
  /** The setting itself, for agents, which decide by the same rules. */
  allowed: readonly string[]
  /** Whether every project may aim at the host, without a proof. */
  isAllowed(host: string): boolean
  /** Looks for the token at the host, over the guarded way out. */
  findProof(host: string, token: string): Promise<TargetProof>
  /** What decides where connections of a virtual user go, as the engine wants it. */
  gate(isVerified: (host: string) => boolean): TargetGate
}

export interface TargetGate {
  /** Addresses of a host that may be connected to; rejects with an error whose message says why not. */
  resolve: (host: string, port: number) => Promise<{ address: string; family: 4 | 6 }[]>
}
