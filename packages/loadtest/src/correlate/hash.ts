/** A short name for a text, the same everywhere: 64 bits of FNV-1a (https://www.rfc-editor.org/rfc/rfc9923) in base 36. */
export function hash(text: string): string {
  let state = 0xcbf29ce484222325n
  for (const byte of Buffer.from(text)) state = BigInt.asUintN(64, (state ^ BigInt(byte)) * 0x100000001b3n)
  return state.toString(36)
}
