const atATime = 100

/** What is found in all workspaces, to be removed. */
export type FindOld = (options: { limit: number }) => Promise<readonly { workspaceId: string; id: string }[]>

/**
 * Removes what is found, a few at a time, so that other work gets its turn, until nothing more goes. What is interrupted is found
 * again as long as its row is there. Gives how many went.
 * @param remove false where there was nothing any more
 */
export async function removeInTurns(
  find: FindOld,
  remove: (found: { workspaceId: string; id: string }) => Promise<boolean>,
): Promise<number> {
  let removed = 0
  for (;;) {
    let gone = 0
    // oxlint-disable no-await-in-loop -- one after the other
    for (const found of await find({ limit: atATime })) if (await remove(found)) gone++
    // oxlint-enable no-await-in-loop
    removed += gone
    if (gone < atATime) return removed
  }
}
