/**
 * Sixteen digits for a text, other ones for any other: FNV-1a, https://www.rfc-editor.org/rfc/rfc9923
 * In two halves, because whoever sends the text says how long it is, and numbers of 64 bits take many times as long.
 */
export function fingerprint(text: string): string {
  let high = 0xcbf29ce4
  let low = 0x84222325
  for (const byte of new TextEncoder().encode(text)) {
    low = (low ^ byte) >>> 0
    // Times 2^40 + 0x1b3.
    const product = low * 0x1b3
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0
    low = product >>> 0
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('')
}
