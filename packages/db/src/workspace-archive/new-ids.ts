import { createHash } from 'node:crypto'

/** Ids of everything but people: `run_` and 26 digits of Crockford’s base 32, of which the last 16 are random. */
const ids = /\b(?!usr_)([a-z]{2,3}_[0-9a-hjkmnp-tv-z]{10})([0-9a-hjkmnp-tv-z]{16})\b/g
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Gives every id in a text another one, the same for the same id, so that what is imported is beside what it was exported
 * from. The time in it stays, by which ids are ordered.
 * @param secret What tells one import from another.
 */
export function withNewIds(text: string, secret: string): string {
  return text.replace(ids, (_id, start: string, end: string) => {
    const bytes = createHash('sha256').update(`${secret} ${start}${end}`).digest().subarray(0, 16)
    return start + Array.from(bytes, (byte) => alphabet.charAt(byte & 31)).join('')
  })
}
