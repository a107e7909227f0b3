/**
 * The first `length` characters of a text, without half of one at the end: as JSON that is an escape (`\ud83d`) for which
 * strict clients refuse the whole message.
 */
export function firstOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}
