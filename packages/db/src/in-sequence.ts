/** Does something for each, one after the other, and gives the results. The first failure ends it. */
export async function inSequence<In, Out>(
  items: Iterable<In>,
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const done: Out[] = []
  for await (const result of whenAskedFor(items, work)) done.push(result)
  return done
}

async function* whenAskedFor<In, Out>(
  items: Iterable<In>,
  work: (item: In) => Promise<Out>,
): AsyncGenerator<Out> {
  for (const item of items) yield work(item)
}

/** Cuts an array into pieces of a size; the last may be shorter. */
export function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
