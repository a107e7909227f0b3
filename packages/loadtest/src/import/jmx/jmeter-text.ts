/**
 * A piece of a text of JMeter: what is written, `${variable}`, or `${__function(of, parameters)}`, whose parameters are texts
 * again.
 */
export type JmeterPart =
  | { kind: 'text'; text: string }
  | { kind: 'variable'; name: string; source: string }
  | { kind: 'function'; name: string; parameters: string[]; source: string }

/**
 * Takes apart a text as JMeter's FunctionParser does (https://jmeter.apache.org/usermanual/functions.html). A backslash before
 * `$`, `,` or another one is taken away only where there is a variable or function in the text.
 */
export function jmeterParts(text: string): JmeterPart[] {
  if (!text.includes('${')) return text === '' ? [] : [{ kind: 'text', text }]
  const parts = compile(text)
  return parts.some(({ kind }) => kind !== 'text') ? parts : [{ kind: 'text', text }]
}

/** A parameter of a function: there backslashes are always taken away. What is not text stays as it is written. */
export function parameterText(parameter: string): string {
  return compile(parameter)
    .map((part) => (part.kind === 'text' ? part.text : part.source))
    .join('')
}

function compile(text: string): JmeterPart[] {
  const parts: JmeterPart[] = []
  let plain = ''
  let at = 0
  while (at < text.length) {
    const character = text[at]!
    if (character === '\\' && at + 1 < text.length) {
      const next = text[at + 1]!
      plain += next === '$' || next === ',' || next === '\\' ? next : character + next
      at += 2
    } else if (character === '$' && text[at + 1] === '{') {
      const reference = readReference(text, at)
      if (reference === undefined) return [{ kind: 'text', text }]
      if (plain !== '') parts.push({ kind: 'text', text: plain })
      plain = ''
      parts.push(reference.part)
      at = reference.end
    } else {
      plain += character
      at++
    }
  }
  if (plain !== '') parts.push({ kind: 'text', text: plain })
  return parts
}

function readReference(text: string, start: number): { part: JmeterPart; end: number } | undefined {
  const close = /[(}]/g
  close.lastIndex = start + 2
  const found = close.exec(text)
  if (found === null) return undefined
  const name = text.slice(start + 2, found.index).trim()
  if (found[0] === '(' && name.startsWith('__')) {
    const read = readParameters(text, found.index + 1)
    const brace = read === undefined ? -1 : text.indexOf('}', read.end)
    if (read !== undefined && brace !== -1 && text.slice(read.end, brace).trim() === '') {
      const source = text.slice(start, brace + 1)
      return { part: { kind: 'function', name, parameters: read.parameters, source }, end: brace + 1 }
    }
    return undefined
  }
  const brace = text.indexOf('}', start)
  if (brace === -1) return undefined
  const whole = text.slice(start + 2, brace)
  const source = text.slice(start, brace + 1)
  const part: JmeterPart = whole.startsWith('__')
    ? { kind: 'function', name: whole.trim(), parameters: [], source }
    : { kind: 'variable', name: whole, source }
  return { part, end: brace + 1 }
}

/** Commas and the closing parenthesis count outside of `${…}` and of other parentheses. */
function readParameters(text: string, start: number): { parameters: string[]; end: number } | undefined {
  const parameters: string[] = []
  let braces = 0
  let parentheses = 0
  let begin = start
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '{' && text[at - 1] === '$') braces++
    else if (character === '}' && braces > 0) braces--
    else if (braces > 0) continue
    else if (character === '(') parentheses++
    else if (character === ')' && parentheses > 0) parentheses--
    else if (character === ',') {
      parameters.push(text.slice(begin, at))
      begin = at + 1
    } else if (character === ')') {
      const last = text.slice(begin, at)
      return { parameters: last === '' && parameters.length === 0 ? [] : [...parameters, last], end: at + 1 }
    }
  }
  return undefined
}
