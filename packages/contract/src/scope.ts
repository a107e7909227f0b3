import { z } from 'zod'

export const scopeNames = ['read', 'write', 'run', 'admin', 'upload', 'agent', 'push'] as const
export type Scope = (typeof scopeNames)[number]
export const scopeSchema = z.enum(scopeNames)

/** What a person may, and can allow a client: not what agents of load and live apps get, for which tokens are made apart. */
export const clientScopes: readonly Scope[] = scopeNames.filter((name) => name !== 'agent' && name !== 'push')

/** What a credential allows, in the words a consent page shows. */
export const scopes: Readonly<Record<Scope, string>> = {
  read: 'See projects, runs, benchmarks, profiles and reports',
  write: 'Create and change projects, uploads and settings',
  run: 'Start load tests and other real traffic, and use quota',
  admin: 'Manage members and read the audit log',
  upload: 'Upload benchmark results and profiles, and nothing else',
  agent: 'Make the load of runs: get what they need, secrets among it, and nothing else',
  push: 'Push what a running program tells of itself, and nothing else',
}

const implied: Record<Scope, readonly Scope[]> = {
  read: ['read'],
  write: ['write', 'read', 'upload', 'push'],
  run: ['run', 'read'],
  admin: ['admin', 'write', 'read', 'upload', 'push'],
  upload: ['upload'],
  agent: ['agent'],
  push: ['push'],
}

/** Whether `granted` covers one of `anyOf`; `write` covers `read`, `upload` and `push`, `admin` covers `write`. */
export function allows(granted: readonly Scope[], anyOf: readonly Scope[]): boolean {
  return granted.some((scope) => anyOf.some((needed) => implied[scope].includes(needed)))
}

/** The known scopes in a space-separated OAuth `scope` value, in the order of the table; unknown words are left out. */
export function parseScopes(value: string): Scope[] {
  const words = new Set(value.split(/\s+/))
  return scopeNames.filter((scope) => words.has(scope))
}
