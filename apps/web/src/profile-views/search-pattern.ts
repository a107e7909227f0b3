/** What somebody types, as a pattern: these words as they are, whatever their case. */
export function searchPattern(words: string | undefined): { search?: string } {
  const text = words?.trim() ?? ''
  return text === '' ? {} : { search: `(?i)${text.replaceAll(/[^\w\s]/g, String.raw`\$&`)}`.slice(0, 200) }
}
