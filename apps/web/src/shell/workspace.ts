import { type AnswerOf, operations } from '@flamegate/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { answerOptions } from '../api.ts'
import { storedValue } from './stored-value.ts'

export type Me = AnswerOf<typeof operations.getCurrentUser>
export type Workspace = Me['workspaces'][number]

export const meOptions = answerOptions(operations.getCurrentUser, {})

const chosen = storedValue('flamegate.workspace')

/** Remembers which workspace pages without one in their address show. */
export function chooseWorkspace(workspaceId: string): void {
  if (chosen.get() !== workspaceId) chosen.set(workspaceId)
}

export function useMe(): Me {
  return useSuspenseQuery(meOptions).data
}

/** The chosen workspace, or the first; undefined for somebody who is in none. */
export function useWorkspace(): Workspace | undefined {
  const { workspaces } = useMe()
  const chosenId = chosen.use()
  return workspaces.find(({ id }) => id === chosenId) ?? workspaces[0]
}
