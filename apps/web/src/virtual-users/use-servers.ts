import { operations } from '@flamegate/contract'
import { useQuery } from '@tanstack/react-query'
import { client } from '../api.ts'
import type { Server } from '../documents/editing.ts'

/** A project with more servers than that shows their ids instead of names. */
const pagesMax = 20

/** All HTTP servers of a project; none until they are known. */
export function useServers(projectId: string | undefined): readonly Server[] {
  const query = useQuery({
    queryKey: [operations.listHttpServers.id, 'all', projectId],
    queryFn: ({ signal }) => allServers(projectId ?? '', signal),
    enabled: projectId !== undefined,
  })
  return query.data ?? none
}

const none: readonly Server[] = []

async function allServers(projectId: string, signal: AbortSignal): Promise<Server[]> {
  const servers: Server[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    // oxlint-disable-next-line no-await-in-loop -- each page tells where the next begins
    const answer = await client.call(
      operations.listHttpServers,
      { project_id: projectId, limit: 100, cursor },
      { signal },
    )
    servers.push(...answer.http_servers)
    if (answer.next_cursor === null) break
    cursor = answer.next_cursor
  }
  return servers
}
