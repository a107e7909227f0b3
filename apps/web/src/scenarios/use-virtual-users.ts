import { operations } from '@flamegate/contract'
import { useQuery } from '@tanstack/react-query'
import { client } from '../api.ts'

/** Pages that are asked for; a project with more has names that are typed. */
const pagesMax = 10

export interface VirtualUserChoices {
  users: readonly { id: string; name: string }[]
  /** Not known yet: none is not the same as none so far. */
  areComing: boolean
}

/** The virtual users of a project, to choose among. */
export function useVirtualUsers(projectId: string | undefined): VirtualUserChoices {
  const query = useQuery({
    queryKey: [operations.listVirtualUsers.id, 'all', projectId],
    enabled: projectId !== undefined,
    queryFn: async ({ signal }) => {
      const users: { id: string; name: string }[] = []
      let cursor: string | undefined
      for (let page = 0; page < pagesMax; page++) {
        // oxlint-disable-next-line no-await-in-loop -- each page says where the next one begins
        const answer = await client.call(
          operations.listVirtualUsers,
          { project_id: projectId ?? '', limit: 100, cursor },
          { signal },
        )
        users.push(...answer.virtual_users.map(({ id, name }) => ({ id, name })))
        if (answer.next_cursor === null) break
        cursor = answer.next_cursor
      }
      return users
    },
  })
  return { users: query.data ?? none, areComing: query.isPending }
}

const none: VirtualUserChoices['users'] = []
