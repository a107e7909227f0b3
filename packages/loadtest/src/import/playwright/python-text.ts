const plainEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
}

const escape =
  /\\(?:(?<octal>[0-7]{1,3})|x(?<hex>[\da-fA-F]{2})|u(?<four>[\da-fA-F]{4})|U(?<eight>[\da-fA-F]{8})|(?<plain>[^]))/g

/**
 * The text that a literal of Python means (https://docs.python.org/3/reference/lexical_analysis.html#string-and-bytes-literals).
 * Escapes that Python does not know stay as they are written; names of characters (\N{…}) too.
 */
export function pythonText(literal: string): string {
  const [, prefix = '', quote = ''] = /^([a-z]*)("""|'''|"|')/i.exec(literal) ?? []
  const text = literal.slice(prefix.length + quote.length, literal.length - quote.length)
  if (/r/i.test(prefix)) return text
  return text.replaceAll(escape, (whole, octal, hex, four, eight, plain) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    const code = hex ?? four ?? eight
    if (code !== undefined) return codePoint(Number.parseInt(code, 16), whole)
    return plainEscapes[plain] ?? (/["'\\]/.test(plain) ? plain : whole)
  })
}

function codePoint(code: number, otherwise: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : otherwise
}
