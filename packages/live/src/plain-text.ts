/** A text of others as it can be stored and shown: cut, and without characters that are none. */
export function plainText(text: string, lengthMax: number): string {
  return text.replaceAll('\0', '').slice(0, lengthMax).toWellFormed()
}
