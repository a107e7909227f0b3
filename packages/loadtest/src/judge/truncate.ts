/** A text that is no longer than that; what was cut is told by an ellipsis. */
export function truncate(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`
}
