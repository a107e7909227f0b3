import { pageAfter } from '../cursor.ts'
import type { CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import type { SmallKind } from './reaching.ts'

/** One page of a project's documents of a kind, by name. */
export async function pageOfDocuments(
  context: CallContext,
  kind: SmallKind,
  projectId: string,
  input: { limit: number; cursor?: string | undefined },
): Promise<{ rows: DesignObject[]; nextCursor: string | null }> {
  const all = await context.deps.stores.designs.listDocuments(context.caller, projectId, kind)
  const byName = all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return pageAfter(
    kind,
    input,
    { projectId },
    {
      fetch: async (limit, after: string | undefined) =>
        byName.filter(({ name }) => after === undefined || name > after).slice(0, limit + 1),
      sortKeyOf: ({ name }: DesignObject) => name,
      readSortKey: (name) => name,
    },
  )
}
