interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Does together what comes while the same goes on. Of each key one piece of work goes on at a time: the first item is worked on at once
 * and by itself, and whatever comes meanwhile is worked on next, all of it in one piece.
 * @param work gives a result for each item, in their order; when it fails with several, each is tried by itself, so that nobody
 * is told of another's fault
 * @param itemsMax how many there are in one piece
 */
export function gather<Item, Result>(
  work: (items: readonly [Item, ...Item[]]) => Promise<readonly Result[]>,
  itemsMax: number,
): (key: string, item: Item) => Promise<Result> {
  const queues = new Map<string, Waiting<Item, Result>[]>()

  async function workOn(key: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) {
      const some = queue.splice(0, itemsMax)
      // oxlint-disable-next-line no-await-in-loop -- one piece at a time is the point
      await settle(some)
    }
    queues.delete(key)
  }

  async function settle(some: readonly Waiting<Item, Result>[]): Promise<void> {
    const [first, ...others] = some
    if (first === undefined) return
    try {
      const results = await work([first.item, ...others.map(({ item }) => item)])
      for (const [index, result] of results.entries()) some[index]?.resolve(result)
    } catch (error) {
      if (others.length === 0) first.reject(error)
      // oxlint-disable-next-line no-await-in-loop -- the same
      else for (const one of some) await settle([one])
    }
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key)
      if (queue !== undefined) {
        queue.push({ item, resolve, reject })
        return
      }
      const started = [{ item, resolve, reject }]
      queues.set(key, started)
      void workOn(key, started)
    })
}
