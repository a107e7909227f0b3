import { templateParts } from '@flamegate/loadtest/running'
import type { TemplatePart } from '@flamegate/loadtest'
import { ActionFailure } from '../action-failure.ts'

/** What a variable holds: a text, or the list that an extractor found. */
export type Value = string | readonly string[]

/** A template, taken apart once; what has no variables in it is a text. */
export type CompiledTemplate = string | readonly TemplatePart[]

/** Gives the value of a variable; undefined where it has none. */
export type Lookup = (name: string) => Value | undefined

/** Of a text with its variables filled in. */
const charactersMax = 32_000_000

export function compileTemplate(text: string): CompiledTemplate {
  const parts = templateParts(text)
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts
}

/**
 * The text that it stands for now.
 * @throws ActionFailure naming the variable that has no value
 */
export function expandTemplate(
  template: CompiledTemplate,
  lookup: Lookup,
  whyNot: (name: string) => string,
): string {
  if (typeof template === 'string') return template
  let text = ''
  for (const part of template) {
    text += typeof part === 'string' ? part : expandUse(part, lookup, whyNot)
    if (text.length > charactersMax)
      throw new ActionFailure(
        `With its variables filled in, a text is longer than ${charactersMax / 1e6} million characters.`,
      )
  }
  return text
}

function expandUse(
  { name, index }: Exclude<TemplatePart, string>,
  lookup: Lookup,
  whyNot: (name: string) => string,
): string {
  const value = lookup(name)
  if (value === undefined) {
    const list = name.endsWith('.length') ? lookup(name.slice(0, -'.length'.length)) : undefined
    if (list !== undefined && index === null) return String(typeof list === 'string' ? 1 : list.length)
    throw new ActionFailure(whyNot(name))
  }
  const found = typeof value === 'string' ? [value][index ?? 0] : value[index ?? 0]
  if (found === undefined) {
    const count = typeof value === 'string' ? 1 : value.length
    throw new ActionFailure(
      `The variable ${name} has ${count} values; \${${name}[${index ?? 0}]} is none of them.`,
    )
  }
  return found
}
