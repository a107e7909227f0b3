import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A request as an agent sent it; see `recorded/README.md`. */
export function recorded(name: 'go' | 'node-wall' | 'node-heap'): {
  path: string
  headers: Record<string, string>
  body: Buffer
} {
  const file = join(import.meta.dirname, 'recorded', name)
  return { ...JSON.parse(readFileSync(`${file}.json`, 'utf8')), body: readFileSync(`${file}.bin`) }
}
