import type { SearchHit } from '../ports/index.ts'

/** Path of the web page about a thing. */
export function pagePath(kind: SearchHit['kind'], id: string): string {
  return `/${kind}s/${id}`
}
