/**
 * The query of an address as plain words. The router's own way reads `?root=123` as a number, but the links
 * that agents hand out hold names of functions and branches as they are.
 */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

/** Writes what `parseSearch` reads; undefined and empty values are left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') query.set(name, value)
  }
  return query.size === 0 ? '' : `?${query}`
}

/** A route's `validateSearch`: takes these words, when they are there, and leaves out all others. */
export function words<Name extends string>(...names: Name[]) {
  return (search: Readonly<Record<string, unknown>>): Partial<Record<Name, string>> => {
    const found: Partial<Record<Name, string>> = {}
    for (const name of names) {
      const value = search[name]
      if (typeof value === 'string' && value !== '') found[name] = value
    }
    return found
  }
}
