/** A regular expression that means the text itself. */
export function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
