import { templateParts } from './template-parts.ts'

/** Names of the variables that a template needs, each once: of `${ids.length}` as of `${ids}`, `ids`. */
export function variablesOf(template: string): string[] {
  if (!template.includes('${')) return []
  const names = templateParts(template).flatMap((part) =>
    typeof part === 'string' ? [] : [part.name.replace(/\.length$/, '')],
  )
  return [...new Set(names)]
}

/** A stretch of a template with no variable in it, as it is written: `$${` is not undone. */
export interface LiteralStretch {
  text: string
  /** Where it begins in the template. */
  start: number
}

const use = /\$\$\{|\$\{[A-Za-z_][\w.-]{0,79}(?:\[\d{1,9}\])?\}/g

/** What of a template is text, with its places, so that values in it can be replaced. */
export function literalStretches(template: string): LiteralStretch[] {
  const stretches: LiteralStretch[] = []
  let start = 0
  for (const { 0: written, index } of template.matchAll(use)) {
    if (written === '$${') continue
    if (index > start) stretches.push({ text: template.slice(start, index), start })
    start = index + written.length
  }
  if (start < template.length) stretches.push({ text: template.slice(start), start })
  return stretches
}
