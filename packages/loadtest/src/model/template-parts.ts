/** A piece of a template: plain text, or what is asked of a variable. */
export type TemplatePart = string | TemplateUse

export interface TemplateUse {
  /** As it is written between the braces, without the index: `items`, and `items.length` where the length is asked for. */
  name: string
  /** Of `${name[2]}`: 2; null where none is written. */
  index: number | null
}

const use = /\$?\$\{([A-Za-z_][\w.-]{0,79})(?:\[(\d{1,9})\])?\}|\$\$\{/g

/**
 * Takes a template apart. What looks like a use but is none, such as `${a + b}`, is text. Whether `x.length` means a variable of
 * this name or how many values `x` has, only the variables that there are can tell.
 */
export function templateParts(text: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let plain = ''
  let end = 0
  for (const match of text.matchAll(use)) {
    plain += text.slice(end, match.index)
    end = match.index + match[0].length
    if (match[0].startsWith('$$')) {
      plain += match[0].slice(1)
      continue
    }
    if (plain !== '') parts.push(plain)
    plain = ''
    parts.push({ name: match[1] ?? '', index: match[2] === undefined ? null : Number(match[2]) })
  }
  plain += text.slice(end)
  if (plain !== '') parts.push(plain)
  return parts
}
