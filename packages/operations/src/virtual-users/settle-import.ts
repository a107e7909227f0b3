import {
  isSameJson,
  parseDocument,
  renameServers,
  type Identified,
  type Imported,
  type VirtualUser,
} from '@flamegate/loadtest'
import type { SmallKind } from '../design/reaching.ts'
import type { DesignObject, DesignSource, DesignStore, NewDesignObject } from '../ports/index.ts'
import type { Caller } from '@flamegate/contract'
import { freeName } from '../design/free-name.ts'
import { summaryOf } from './summary.ts'

/** What an import adds to a project that has things of its own. */
export interface SettledImport {
  objects: NewDesignObject[]
  virtualUsers: Identified<VirtualUser>[]
  /** What is to be said of what was there already. */
  notes: string[]
}

/**
 * Fits what was imported into a project: a server or rule that is there already is used, and so is a variable of the same name,
 * because its name is what requests say; other names that are taken get a number.
 */
export async function settleImport(
  imported: Imported,
  { designs, caller, projectId }: { designs: DesignStore; caller: Caller; projectId: string },
  source: DesignSource,
  recordingId: string | null,
): Promise<SettledImport> {
  const [servers, variables, rules, userNames] = await Promise.all([
    designs.listDocuments(caller, projectId, 'http_server'),
    designs.listDocuments(caller, projectId, 'variable'),
    designs.listDocuments(caller, projectId, 'correlation_rule'),
    designs.listNames(caller, projectId, 'virtual_user'),
  ])
  const notes: string[] = []
  const settledServers = settle('http_server', imported.servers, servers, source)
  const settledRules = settle('correlation_rule', imported.rules, rules, source)
  const newVariables = imported.variables.filter(({ document }) => {
    const known = variables.find(({ name }) => name === document.name)
    if (known !== undefined && !isSame('variable', known, document))
      notes.push(
        `The project has a variable ${document.name} already, which is used instead of the one that was imported.`,
      )
    return known === undefined
  })
  const taken = new Set(userNames)
  const virtualUsers = imported.virtualUsers.map(({ id, document }) => {
    const name = freeName(document.name, taken)
    taken.add(name)
    const renamed = renameServers(document, settledServers.ids)
    return { id, document: { ...renamed, name, recording_id: recordingId } }
  })
  return {
    objects: [
      ...settledServers.objects,
      ...settle('variable', newVariables, [], source).objects,
      ...settledRules.objects,
      ...virtualUsers.map(({ id, document }): NewDesignObject => ({
        id,
        kind: 'virtual_user',
        name: document.name,
        document,
        summary: summaryOf(document),
        source,
      })),
    ],
    virtualUsers,
    notes,
  }
}

/** New objects of a kind, and for those that were there already the ids that they have. */
function settle(
  kind: SmallKind,
  documents: readonly Identified<{ name: string }>[],
  existing: readonly DesignObject[],
  source: DesignSource,
): { objects: NewDesignObject[]; ids: Map<string, string> } {
  const objects: NewDesignObject[] = []
  const ids = new Map<string, string>()
  const taken = new Set(existing.map(({ name }) => name))
  for (const { id, document } of documents) {
    const known = existing.find((each) => isSame(kind, each, document))
    if (known === undefined) {
      const name = freeName(document.name, taken)
      taken.add(name)
      objects.push({ id, kind, name, document: { ...document, name }, summary: {}, source })
    } else ids.set(id, known.id)
  }
  return { objects, ids }
}

function isSame(kind: SmallKind, known: DesignObject, document: object): boolean {
  return isSameJson(parseDocument(kind, known.document), document)
}
