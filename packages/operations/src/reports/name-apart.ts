/** What has a name that is taken gets a number: `Checkout (2)`. */
export function nameApart(name: string, taken: Pick<ReadonlySet<string>, 'has'>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name} (${number})`
  return free
}
