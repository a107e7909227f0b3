/**
 * What is wrong with a stretch of time that somebody typed, by field. NaN is what could not be read.
 * @param usual How a time is written
 */
export function stretchFaults(from: number, to: number, usual: string): Readonly<Record<string, string>> {
  const unread = `Write a time such as ${usual}.`
  if (!(from >= 0)) return { from: unread }
  if (Number.isNaN(to)) return { to: unread }
  return to > from ? {} : { to: 'Write a time after the first one.' }
}
