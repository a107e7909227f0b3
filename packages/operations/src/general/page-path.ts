import type { SearchKind } from '@flamegate/contract'

/** Path of the web page about a thing. */
export function pagePath(kind: SearchKind, id: string): string {
  return `/${kind.replace('_', '-')}s/${id}`
}
