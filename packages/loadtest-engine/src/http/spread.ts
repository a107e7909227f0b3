/**
 * Addresses of a host in the order in which a connection tries them: families as they came, and of each another one first with every
 * turn, so that the connections of many users go to all of them.
 */
export function spread<Address extends { family: 4 | 6 }>(
  addresses: readonly Address[],
  turn: number,
): readonly Address[] {
  if (addresses.length < 2) return addresses
  return Array.from(Map.groupBy(addresses, ({ family }) => family).values(), (same) => {
    const first = turn % same.length
    return [...same.slice(first), ...same.slice(0, first)]
  }).flat()
}
