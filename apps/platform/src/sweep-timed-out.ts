import {
  findExpiredMcpSessions,
  findExpiredPrints,
  findExpiredProfiles,
  findExpiredValidations,
  findLeftResultFiles,
  findLeftSources,
  purgeDeletedWorkspaces,
  sweepExpired,
  type createStores,
  type Database,
} from '@flamegate/db'
import {
  removeExpiredMcpSessions,
  removeExpiredProfiles,
  removeExpiredValidations,
  removeFoundFiles,
  removeLeftSources,
} from '@flamegate/operations'
import type { ObjectStorage } from '@flamegate/operations/ports'

interface Deps {
  stores: ReturnType<typeof createStores>['stores']
  storage: ObjectStorage
}
type Find = (
  database: Database,
  options: { limit: number },
) => Promise<readonly { workspaceId: string; id: string }[]>
type Remove = (find: (options: { limit: number }) => ReturnType<Find>, deps: Deps) => Promise<number>

/** What has a time of its own, whatever the plan says; workers remove it every hour. */
const kinds: readonly (readonly [words: string, find: Find, remove: Remove])[] = [
  ['profiles', findExpiredProfiles, removeExpiredProfiles],
  ['validations', findExpiredValidations, removeExpiredValidations],
  ['sessions of MCP servers', findExpiredMcpSessions, removeExpiredMcpSessions],
  ['prints and archives', findExpiredPrints, removeFoundFiles],
  ['files of load tests', findLeftResultFiles, removeFoundFiles],
  ['sources of imports', findLeftSources, removeLeftSources],
]

/** No more are counted where nothing is removed. */
const countedMax = 1_000_000

/**
 * Removes what is past a time of its own, and tells how much in words. As often as one likes.
 * @param options.isDry only counts
 */
export async function sweepTimedOut(
  database: Database,
  deps: Deps,
  { isDry }: { isDry: boolean },
): Promise<string> {
  const rows = await sweepExpired(database, { isDry })
  const removeObject = (key: string) => deps.storage.remove(key)
  const counts = [
    `${await purgeDeletedWorkspaces(database, removeObject, { isDry })} deleted workspaces`,
    `${rows} rows of log-ins, tokens, invitations and deliveries`,
  ]
  for (const [words, find, remove] of kinds) {
    const count = isDry
      ? (await find(database, { limit: countedMax })).length
      : await remove((options) => find(database, options), deps)
    counts.push(`${count} ${words}`)
  }
  return counts.join(', ')
}
