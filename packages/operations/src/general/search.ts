import { operations } from '@flamegate/contract'
import { pageAfter } from '../cursor.ts'
import { implement } from '../implement.ts'
import type { SearchHit } from '../ports/index.ts'
import { getProject } from '../targets.ts'
import { pagePath } from './page-path.ts'

export const search = implement(operations.search)(async (input, context) => {
  const { caller, deps } = context
  const { query, project_id: projectId } = input
  if (projectId !== undefined) await getProject(context, projectId)
  const { rows, nextCursor } = await pageAfter(
    'search',
    input,
    { query, projectId },
    {
      fetch: (limit, after: Pick<SearchHit, 'score' | 'id'> | undefined) =>
        deps.stores.search.search(
          caller,
          query,
          { limit, ...(after === undefined ? {} : { after }) },
          projectId === undefined ? {} : { projectId },
        ),
      sortKeyOf: ({ score }) => String(score),
      readSortKey: (key, id) => (/^\d{1,6}$/.test(key) ? { score: Number(key), id } : undefined),
    },
  )
  return {
    results: rows.map((hit) => ({
      id: hit.id,
      title: hit.title,
      url: deps.publicUrl + pagePath(hit.kind, hit.id),
      kind: hit.kind,
      project_id: hit.projectId,
      project: hit.projectName,
      snippet: hit.snippet,
    })),
    next_cursor: nextCursor,
  }
})
