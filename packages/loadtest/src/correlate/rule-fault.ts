import { compile } from 'json-p3'
import type { CorrelationRule } from '../model/correlation-rule.ts'

/** What is wrong with the pattern or path of a rule; undefined where it can be used. */
export function ruleFault({ source }: Pick<CorrelationRule, 'source'>): string | undefined {
  if (source.type === 'json_path')
    return isReadable(() => compile(source.path)) ? undefined : 'Its path is no JSONPath of RFC 9535.'
  if (source.type !== 'regex') return undefined
  if (!isReadable(() => new RegExp(source.pattern))) return 'Its pattern is no regular expression.'
  // An alternative that is empty matches anything, and tells how many groups there are.
  const groups = (new RegExp(`${source.pattern}|`).exec('')?.length ?? 1) - 1
  return groups === 0 ? 'Its pattern has no group: put parentheses around the value.' : undefined
}

function isReadable(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}
