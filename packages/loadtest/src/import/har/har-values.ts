/** Null for what is no text, or an empty one. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Null for what is no number, or below 0: -1 is how a HAR says that it does not know. */
export function amountOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
