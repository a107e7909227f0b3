import { Problem } from '@flamegate/contract'
import { variableNamesOf, type Variable } from '@flamegate/loadtest'
import type { CallContext } from '../implement.ts'
import type { DesignKind } from '../ports/index.ts'
import { csvColumns } from './csv-columns.ts'

/** What names something: an object of the project. */
export interface User {
  id: string
  kind: DesignKind
  name: string
}

export type Usage = ReadonlyMap<string, readonly User[]>

/** Which objects name each of these ids. */
export async function usersOfIds(
  { caller, deps }: CallContext,
  projectId: string,
  ids: readonly string[],
): Promise<Usage> {
  const mentions = await deps.stores.designs.findMentions(caller, projectId, ids)
  return Map.groupBy(mentions.map(asMention), ({ text }) => text)
}

/** Which objects name each of these variables, by the variables' ids: in templates, as a list to go through, in scripts. */
export async function usersOfVariables(
  context: CallContext,
  projectId: string,
  variables: readonly { id: string; document: Variable }[],
): Promise<Usage> {
  const { caller, deps } = context
  const namesOf = new Map<string, readonly string[]>()
  for (const { id, document } of variables) {
    // oxlint-disable-next-line no-await-in-loop -- files are opened one after the other
    namesOf.set(id, await namesGivenBy(context, projectId, document))
  }
  const names = [...new Set([...namesOf.values()].flat())]
  // A name stands anywhere; what it stands for is seen when its document is read, one at a time, for they may be large.
  const mentions = await deps.stores.designs.findMentions(caller, projectId, names)
  const suspects = new Map(mentions.map((mention) => [mention.id, mention]))
  const users = new Map<string, User[]>()
  for (const { id: suspectId, kind, name } of suspects.values()) {
    // oxlint-disable-next-line no-await-in-loop
    const suspect = await deps.stores.designs.find(caller, suspectId)
    if (suspect === undefined) continue
    const needed = variablesIn(suspect.document)
    for (const [id, own] of namesOf) {
      if (own.some((each) => needed.has(each)))
        users.set(id, [...(users.get(id) ?? []), { id: suspectId, kind, name }])
    }
  }
  return users
}

/** @throws Problem `in_use` that names the users */
export function requireUnused(what: string, users: readonly User[] = []): void {
  if (users.length === 0) return
  const named = users.slice(0, 10).map(({ name, id }) => `${name} (${id})`)
  const more = users.length > named.length ? ` and ${users.length - named.length} more` : ''
  throw new Problem('in_use', `${what} is used by ${named.join(', ')}${more}. Take it out there first.`)
}

async function namesGivenBy(
  context: CallContext,
  projectId: string,
  document: Variable,
): Promise<readonly string[]> {
  if (document.type !== 'csv') return [document.name]
  return document.columns.length > 0 ? document.columns : csvColumns(context, projectId, document)
}

/** Names of all variables that a document needs, those that its scripts ask for by a plain text among them. */
function variablesIn(document: object): ReadonlySet<string> {
  const inScripts = JSON.stringify(document).matchAll(/\bvars\.get\(\s*(?:\\"|'|`)([\w.-]+)/g)
  return new Set([...variableNamesOf(document), ...[...inScripts].map(([, name]) => name ?? '')])
}

function asMention({ text, id, kind, name }: User & { text: string }): User & { text: string } {
  return { text, id, kind, name }
}
