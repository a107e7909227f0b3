/** Comments, strings of all kinds, identifiers in quotes, numbers, and words, in which digits are no numbers. */
const tokens =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[eExXbBnN]?'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|"(?:[^"]|"")*(?:"|$)|`[^`]*`?|[$:@?][\w.]+|[A-Za-z_]\w*|\d[\w.]*/g

/**
 * SQL with `?` for what was written into it: strings and numbers may be somebody's data. What stands in double quotes is a name in
 * most databases, and a string in MySQL: it is taken for one where a value is compared or listed.
 */
export function withoutLiterals(sql: string): string {
  let isOfValues = false
  return sql
    .replaceAll(tokens, (token: string, ...[, offset]: [string | undefined, number]) => {
      if (token.startsWith('--') || token.startsWith('/*')) return ' '
      if (/^(?:[exbn]?'|\d|\$\w*\$)/i.test(token)) return '?'
      if (token.startsWith('"')) {
        const before = sql.slice(Math.max(0, offset - 12), offset)
        return isOfValues || /(?:[=<>]|\blike)\s*$/i.test(before) ? '?' : token
      }
      if (/^values$/i.test(token)) isOfValues = true
      else if (/^(?:select|from|set|returning|where)$/i.test(token)) isOfValues = false
      return token
    })
    .replaceAll(/\s+/g, ' ')
    .trim()
}
