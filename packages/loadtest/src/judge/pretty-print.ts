/** Longer bodies are shown as they are. */
export const prettyCharactersMax = 2_000_000

/** Deeper than this it is not indented any more, so that a hostile body does not grow by its square. */
const indentMax = 100

/** A body for reading: JSON, forms, XML and HTML with line breaks; anything else as it is. */
export function prettyPrint(body: string, contentType: string | null): string {
  if (body.length > prettyCharactersMax) return body
  const type = (contentType ?? '').toLowerCase()
  if (/\bjson\b|\+json/.test(type) || (type === '' && /^\s*[[{]/.test(body))) return prettyJson(body)
  if (type.includes('x-www-form-urlencoded')) return prettyForm(body)
  if (/\b(?:html|xml)\b|\+xml/.test(type)) return prettyMarkup(body)
  return body
}

/** By its tokens, so that numbers keep their digits and broken JSON is shown, too. */
function prettyJson(text: string): string {
  const tokens = text.match(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\],:]|[^\s"{}[\],:]+/gs) ?? []
  const out: string[] = []
  let depth = 0
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1]
    if (token === '{' || token === '[') {
      depth++
      out.push(token)
      if (next !== '}' && next !== ']') out.push(lineBreak(depth))
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1)
      if (tokens[index - 1] !== '{' && tokens[index - 1] !== '[') out.push(lineBreak(depth))
      out.push(token)
    } else if (token === ',') out.push(token, lineBreak(depth))
    else if (token === ':') out.push(': ')
    else out.push(token)
  }
  return out.join('')
}

function prettyForm(text: string): string {
  return [...new URLSearchParams(text)].map(([name, value]) => `${name} = ${value}`).join('\n')
}

const voidTags = /^<(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b/i

/** Each tag on a line of its own; what is in scripts and styles stays as it is. */
function prettyMarkup(text: string): string {
  const pieces =
    text.match(
      /<!--.*?(?:-->|$)|<!\[CDATA\[.*?(?:\]\]>|$)|<(script|style|pre|textarea)\b.*?(?:<\/\1\s*>|$)|<[^>]*>?|[^<]+/gis,
    ) ?? []
  const lines: string[] = []
  let depth = 0
  for (const piece of pieces) {
    const trimmed = piece.trim()
    if (trimmed === '') continue
    if (trimmed.startsWith('</')) depth = Math.max(0, depth - 1)
    lines.push(lineBreak(depth).slice(1) + trimmed)
    const opens = /^<[a-z]/i.test(trimmed) && !/^<(?:script|style|pre|textarea)\b/i.test(trimmed)
    if (opens && !trimmed.endsWith('/>') && !voidTags.test(trimmed)) depth++
  }
  return lines.join('\n')
}

const lineBreak = (depth: number) => `\n${'  '.repeat(Math.min(depth, indentMax))}`
