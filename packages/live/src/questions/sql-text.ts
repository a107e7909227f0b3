/**
 * SQL without what was looked for: literals become `?`, lists of them `?, …`, comments go. Dialects disagree about quotes, so in
 * doubt more is hidden: words in double quotes stand where a value would, and a text in which a backslash might hide a quote ends
 * there.
 */
export function withoutSqlLiterals(sql: string): string {
  let kept = ''
  let rest = sql
  while (rest !== '') {
    const [token, replacement] = nextToken(rest, kept)
    kept += replacement
    rest = rest.slice(token.length)
  }
  return kept
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\?(?: ?, ?\?)+/g, '?, …')
    .replaceAll(/(\(\?(?:, …)?\))(?: ?, ?\(\?(?:, …)?\))+/g, '$1, …')
    .trim()
}

/** The text that comes next, and what is kept of it. */
function nextToken(rest: string, kept: string): readonly [token: string, replacement: string] {
  const found = (pattern: RegExp) => pattern.exec(rest)?.[0]
  const comment = found(/^(?:--.*|#(?![>-]).*|\/\*[^]*?(?:\*\/|$))/)
  if (comment !== undefined) return [comment, ' ']
  const dollars = /^\$(?:[A-Za-z_]\w*)?\$/.exec(rest)?.[0]
  if (dollars !== undefined) {
    const end = rest.indexOf(dollars, dollars.length)
    return [end === -1 ? rest : rest.slice(0, end + dollars.length), '?']
  }
  const escaped = found(/^[eE]'(?:[^'\\]|\\[^]|'')*(?:'|$)/)
  if (escaped !== undefined) return [escaped, '?']
  const text = found(/^(?:[nNbBxX]|[uU]&|_\w+\s*)?'(?:[^']|'')*(?:'|$)/)
  if (text !== undefined) return text.includes('\\') ? [rest, '?'] : [text, '?']
  const quoted = found(/^"(?:[^"]|"")*(?:"|$)/)
  if (quoted !== undefined) {
    if (!isValueHere(kept, rest.slice(quoted.length))) return [quoted, quoted]
    return quoted.includes('\\') ? [rest, '?'] : [quoted, '?']
  }
  const name = found(/^(?:`[^`]*`?|\[[A-Za-z_][\w ]*\]|[$:@?]\w+|[\p{L}_][\p{L}\p{N}_$]*)/u)
  if (name !== undefined) return [name, name]
  const number = found(/^(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/)
  if (number !== undefined) return [number, '?']
  return [rest.slice(0, 1), rest.slice(0, 1)]
}

/** Whether a word in double quotes would be a value: compared with, or in a list of values. A column is followed by no dot then. */
function isValueHere(before: string, after: string): boolean {
  if (/^\s*\./.test(after)) return false
  return (
    /(?:[=<>]|\b(?:like|ilike|regexp|rlike|between|limit))\s*$/i.test(before) ||
    /\b(?:values|in)\s*\([^)]*$/i.test(before) ||
    /\bvalues\b[^;]*\([^()]*$/i.test(before)
  )
}
