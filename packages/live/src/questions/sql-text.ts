/**
 * SQL without what was looked for: literals become `?`, lists of them `?, …`, comments go. Dialects disagree about quotes, so in
 * doubt more is hidden: words in double quotes stand where a value would, and a text in which a backslash might hide a quote ends
 * there.
 */
export function withoutSqlLiterals(sql: string): string {
  const before = new Before()
  let kept = ''
  let rest = sql
  while (rest !== '') {
    const [token, replacement] = nextToken(rest, before.isValueNext)
    before.add(replacement)
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
function nextToken(rest: string, isValueHere: boolean): readonly [token: string, replacement: string] {
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
    // Behind the name of a table comes a dot.
    if (!isValueHere || /^\s*\./.test(rest.slice(quoted.length))) return [quoted, quoted]
    return quoted.includes('\\') ? [rest, '?'] : [quoted, '?']
  }
  const name = found(/^(?:`[^`]*`?|\[[A-Za-z_][\w ]*\]|[$:@?]\w+|[\p{L}_][\p{L}\p{N}_$]*)/u)
  if (name !== undefined) return [name, name]
  const number = found(/^(?:0[xX][\da-fA-F]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/)
  if (number !== undefined) return [number, '?']
  return [rest.slice(0, 1), rest.slice(0, 1)]
}

const comparing = new Set(['=', '<', '>', 'like', 'ilike', 'regexp', 'rlike', 'between', 'limit'])

/**
 * Of all that is kept so far, whether a word in double quotes would be a value after it: compared with, or in a list of values.
 * It is kept up with token by token, because to look back from each word takes ever longer.
 */
class Before {
  /** But for space; a placeholder without its sign, which may belong to no word. */
  #last = ''
  #isAfterValues = false
  #isInList = false

  get isValueNext(): boolean {
    return this.#isInList || comparing.has(this.#last)
  }

  add(token: string): void {
    if (token.trim() === '') return
    const word = token.toLowerCase().replace(/^[$:@?]/, '')
    if (word === '(') this.#isInList ||= this.#isAfterValues || this.#last === 'in'
    else if (word === ')') this.#isInList = false
    else if (word === ';') this.#isAfterValues = false
    else if (word === 'values') this.#isAfterValues = true
    this.#last = word
  }
}
