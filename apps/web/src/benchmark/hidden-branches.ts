/** Branches as an address keeps them, one in a line, because their names may hold anything else. */
export function parseBranches(text: string | undefined): ReadonlySet<string> {
  return new Set((text ?? '').split('\n').filter((name) => name !== ''))
}

/** Writes what `parseBranches` reads. */
export function stringifyBranches(names: ReadonlySet<string>): string {
  return [...names].join('\n')
}
