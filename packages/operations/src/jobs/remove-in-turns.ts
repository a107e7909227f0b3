const atATime = 100

/** Something in one of all workspaces that is to be removed. */
export interface Found {
  workspaceId: string
  id: string
}

export type FindOld = (options: { limit: number }) => Promise<readonly Found[]>

/**
 * Removes what is found, a few at a time, so that other work gets its turn, until nothing more goes. What is interrupted is found
 * again as long as its row is there. Gives how many went.
 * @param remove false where there was nothing any more
 */
export async function removeInTurns(
  find: FindOld,
  remove: (found: Found) => Promise<boolean>,
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
