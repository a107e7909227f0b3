/** A stranger's text in one of our sentences: one line, bounded. */
export function quote(text: string, lengthMax = 120): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return `"${line.length > lengthMax ? `${line.slice(0, lengthMax)}…` : line}"`
}
