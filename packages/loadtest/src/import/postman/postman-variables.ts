import { literal } from '../../model/template.ts'
import type { ImportDraft } from '../import-draft.ts'
import { dynamicVariable } from './dynamic-variables.ts'

/** The variables that can be seen at a place of a collection: its own, and those around it. */
export interface Scope {
  outer: Scope | null
  byName: Map<string, { name: string; value: string }>
}

const reference = /\{\{([^{}]+)\}\}/g
/** What an address is made of is short; values that are not are left alone, and so are circles. */
const resolvedCharactersMax = 2000
const resolvedLevelsMax = 10

/** Postman's `{{name}}` as our `${name}`. */
export class PostmanVariables {
  readonly #draft: ImportDraft
  /** Names that no variable of the collection has: of an environment, set by scripts, or dynamic. */
  readonly #outside = new Map<string, string>()
  readonly #set = new Set<string>()
  /** Names that the base URL stands for. */
  readonly #based = new Set<string>()
  readonly #baseUrl: string | undefined

  constructor(draft: ImportDraft, baseUrl: string | undefined) {
    this.#draft = draft
    this.#baseUrl = baseUrl?.replace(/\/+$/, '')
  }

  /** Makes a variable of the collection or a folder known; before anything that names it. */
  define(scope: Scope, name: string, value: string): string {
    const known = scope.byName.get(name)
    const ours = known?.name ?? this.#draft.variables.reserve(name)
    scope.byName.set(name, { name: ours, value })
    return ours
  }

  /** Our name of a variable. */
  nameOf(name: string, scope: Scope): string {
    for (let at: Scope | null = scope; at !== null; at = at.outer) {
      const known = at.byName.get(name)
      if (known !== undefined) return known.name
    }
    const known = this.#outside.get(name)
    if (known !== undefined) return known
    const ours = this.#draft.variables.reserve(name.replace(/^\$/, ''))
    this.#outside.set(name, ours)
    if (name.startsWith('$')) this.#defineDynamic(name, ours)
    return ours
  }

  /** Our name of a variable that a script sets. */
  nameToSet(name: string, scope: Scope): string {
    this.#set.add(name)
    return this.nameOf(name, scope)
  }

  /** A text with our variables in place of Postman's. */
  template(text: string, scope: Scope): string {
    let made = ''
    let end = 0
    for (const found of text.matchAll(reference)) {
      made += literal(text.slice(end, found.index)) + `\${${this.nameOf(found[1]!.trim(), scope)}}`
      end = found.index + found[0].length
    }
    return made + literal(text.slice(end))
  }

  /** A text with the values of variables in it where the collection has them. */
  resolve(text: string, scope: Scope): string {
    let resolved = text
    for (let level = 0; level < resolvedLevelsMax && resolved.length <= resolvedCharactersMax; level++) {
      const next = resolved.replaceAll(reference, (whole, name: string) => {
        const value = valueOf(name.trim(), scope)
        return value === undefined || value === '' || value.length > resolvedCharactersMax ? whole : value
      })
      if (next === resolved) break
      resolved = next
    }
    return resolved
  }

  /**
   * The start of an address, resolved. The base URL of the import stands before a path alone, and for a variable that the address begins
   * with and the collection does not know.
   */
  resolveStart(text: string, scope: Scope): string {
    const resolved = this.resolve(text, scope).trim()
    const baseUrl = this.#baseUrl
    if (baseUrl === undefined) return resolved
    if (resolved === '') return baseUrl
    return resolved.replace(/^\{\{([^{}]+)\}\}(?=\/|$)/, (_, name: string) => {
      this.#based.add(name.trim())
      return baseUrl
    })
  }

  /** Makes variables of those that neither the collection nor its scripts give a value. */
  defineMissing(): void {
    for (const name of this.#based)
      this.#draft.note(
        `The collection does not say what {{${name}}} is: addresses that begin with it go to the base URL.`,
      )
    for (const [name, ours] of this.#outside) {
      if (name.startsWith('$') || this.#set.has(name)) continue
      const kind = this.#draft.variables.addWithoutValue(ours, name, 'Of a Postman environment.')
      this.#draft.note(`The collection does not say what {{${name}}} is: give the ${kind} ${ours} a value.`)
    }
  }

  #defineDynamic(name: string, ours: string): void {
    const { document, note } = dynamicVariable(name, ours)
    this.#draft.variables.add(document)
    this.#draft.told(
      { place: `{{${name}}}`, kind: 'dynamic variable', name },
      null,
      note === null ? [] : [note],
    )
  }
}

function valueOf(name: string, scope: Scope): string | undefined {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const known = at.byName.get(name)
    if (known !== undefined) return known.value
  }
  return undefined
}
