import { readFileSync } from 'node:fs'
import type { AdapterName } from '../adapters/index.ts'

/** A real file of samples/, for tests only. */
export function sample(adapter: AdapterName, file: string): Uint8Array {
  return readFileSync(new URL(`../../samples/${adapter}/${file}`, import.meta.url))
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
