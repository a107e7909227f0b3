import type { ListedObject, ObjectStorage } from '../ports/index.ts'

const atATime = 1000

/** Objects are stored before it is noted what they are, and files of a moment are never noted: these are left alone for so long. */
const leftAloneMs = 24 * 3_600_000

export interface SweptObjects {
  /** How many were looked at. */
  seen: number
  removed: number
  removedBytes: number
}

/**
 * Removes objects in storage that no file tells of: what was left where a process ended between the two. As often as one likes.
 * @param unknownOf which of these keys no file has
 * @param options.isDry only counts
 */
export async function sweepObjects(
  storage: Pick<ObjectStorage, 'list' | 'remove'>,
  unknownOf: (keys: readonly string[]) => Promise<readonly string[]>,
  options: { isDry: boolean; now: Date },
): Promise<SweptObjects> {
  const swept: SweptObjects = { seen: 0, removed: 0, removedBytes: 0 }
  const before = options.now.getTime() - leftAloneMs
  let page = new Map<string, ListedObject>()

  async function sweepPage(): Promise<void> {
    for (const key of await unknownOf([...page.keys()])) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, so that other work gets its turn
      if (!options.isDry) await storage.remove(key)
      swept.removed += 1
      swept.removedBytes += page.get(key)?.sizeBytes ?? 0
    }
    page = new Map()
  }

  for await (const object of storage.list()) {
    swept.seen += 1
    if (object.storedAt.getTime() < before) page.set(object.key, object)
    if (page.size === atATime) await sweepPage()
  }
  if (page.size > 0) await sweepPage()
  return swept
}
