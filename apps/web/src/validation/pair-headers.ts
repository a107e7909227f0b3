export interface Header {
  name: string
  value: string
}

export interface HeaderPair {
  name: string
  before: string | null
  after: string | null
  change: 'same' | 'changed' | 'added' | 'removed'
}

/** Headers of two messages by their names, those that come again one by one; in the order of the first, then the rest. */
export function pairHeaders(before: readonly Header[], after: readonly Header[]): HeaderPair[] {
  const rest = [...after]
  const pairs = before.map(({ name, value }): HeaderPair => {
    const own = rest.filter((each) => isSameName(each.name, name))
    // An equal one first, so that one more cookie in front does not change all behind it.
    const match = own.find((each) => each.value === value) ?? own[0]
    if (match === undefined) return { name, before: value, after: null, change: 'removed' }
    rest.splice(rest.indexOf(match), 1)
    return { name, before: value, after: match.value, change: match.value === value ? 'same' : 'changed' }
  })
  return [
    ...pairs,
    ...rest.map(({ name, value }) => ({ name, before: null, after: value, change: 'added' as const })),
  ]
}

function isSameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}
