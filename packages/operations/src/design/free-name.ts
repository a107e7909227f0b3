const nameCharactersMax = 80

/** The name, or else with the first number that makes it one that is not taken: `Buyer (2)`. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) {
    const end = ` (${number})`
    free = `${name.slice(0, nameCharactersMax - end.length)}${end}`
  }
  return free
}
