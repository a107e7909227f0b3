/** Ids as an address has them, one behind the other: `prf_1,prf_2`. */
export function idsIn(words: string | undefined): string[] {
  return (words ?? '').split(',').filter((id) => id !== '')
}

/** The other way; an id that was there is taken out, one that was not is put in. */
export function toggledId(words: string | undefined, id: string): string {
  const ids = idsIn(words)
  return (ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]).join(',')
}
