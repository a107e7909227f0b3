import { taskOfPushed } from '../profiles/pushed-profile.ts'
import { workerCaller, type JobDeps } from './job.ts'

const atATime = 100

/**
 * Removes profiles that are past their time, with their files and tasks. The file goes first: what is interrupted is found
 * again as long as its row is there. Gives how many went.
 */
export async function removeExpiredProfiles(
  find: (options: { limit: number }) => Promise<readonly { workspaceId: string; id: string }[]>,
  { stores, storage }: Pick<JobDeps, 'stores' | 'storage'>,
): Promise<number> {
  let removed = 0
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a few at a time, so that other work gets its turn
    const expired = await find({ limit: atATime })
    let gone = 0
    for (const { workspaceId, id } of expired) {
      const caller = workerCaller(workspaceId)
      /* oxlint-disable no-await-in-loop -- the same */
      const profile = await stores.profiles.find(caller, id)
      const file = profile && (await stores.files.find(caller, profile.fileId))
      if (file) await storage.remove(file.storageKey)
      if (await stores.profiles.remove(caller, id)) gone++
      await stores.tasks.remove(caller, taskOfPushed(id))
      /* oxlint-enable no-await-in-loop */
    }
    removed += gone
    if (gone < atATime) return removed
  }
}
