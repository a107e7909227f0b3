/** Buckets answer slowly, and many at once. */
const atOnce = 8

/** Does something for each stored file that comes, a few at a time. */
export async function inParallel<T>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]()
  const takeTurns = async () => {
    // oxlint-disable-next-line no-await-in-loop -- as many of these loops run as there may be at once
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
      await work(next.value)
  }
  await Promise.all(Array.from({ length: atOnce }, takeTurns))
}
