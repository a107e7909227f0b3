/** Larger than what a number of JavaScript keeps all digits of; ids of many services are. */
const largeNumber = /^-?\d{16,}$/

/** Whether there may be some in it. */
export function mayHoldLargeNumbers(text: string): boolean {
  return /\d{16}/.test(text)
}

/**
 * As `JSON.parse` does it, but `JSON.stringify` gives large whole numbers of it as they were written: each is an object, which
 * `writtenNumber` reads.
 */
export function parseWritten(text: string): unknown {
  return mayHoldLargeNumbers(text) ? JSON.parse(text, keepLarge) : JSON.parse(text)
}

/** What was written for a large whole number that `parseWritten` gave; undefined for all other values. */
export function writtenNumber(value: unknown): string | undefined {
  // @ts-expect-error -- it is in no type yet
  return JSON.isRawJSON(value) ? JSON.stringify(value) : undefined
}

/** What is at a place in JSON that was read; undefined where nothing is. */
export function valueAt(root: unknown, keys: readonly (string | number)[]): unknown {
  let value = root
  for (const key of keys) {
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value) !== (typeof key === 'number') || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/** `source`: as it was written. */
function keepLarge(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? ''
  // @ts-expect-error -- it is in no type yet
  return typeof value === 'number' && largeNumber.test(source) ? JSON.rawJSON(source) : value
}
