/** Most characters of the name of a document. */
export const nameCharactersMax = 80

/** The name, cut, or the first with a number behind it that is not taken; it is taken from now on. */
export function freeName(wanted: string, taken: Set<string>): string {
  let free = wanted.slice(0, nameCharactersMax)
  for (let count = 2; taken.has(free); count++) free = `${wanted.slice(0, nameCharactersMax - 10)} (${count})`
  taken.add(free)
  return free
}
