import type { HttpRequest } from '../../model/action.ts'
import type { Locator } from '../../model/page.ts'
import { literal, textCharactersMax } from '../../model/template.ts'
import { oneLine, Unmapped } from '../browser/telling.ts'
import type { FunctionParts } from './syntax.ts'

/** What is known of a value without running the script. */
export type Value =
  | Text
  | { kind: 'number'; number: number }
  | { kind: 'boolean'; isTrue: boolean }
  | { kind: 'nothing' }
  | Regex
  | { kind: 'list'; items: readonly Value[]; size: number }
  | { kind: 'record'; entries: ReadonlyMap<string, Value>; size: number }
  | { kind: 'function'; function: FunctionParts; scope: Scope; text: string }
  /** What the script calls `test`, with what of it is meant: `describe.only`. */
  | { kind: 'test'; path: string }
  /** What the script calls `expect`; the environment's variables; browsers and their contexts. */
  | { kind: 'expect' }
  | { kind: 'environment' }
  | { kind: 'browser' }
  /** A page or a frame of it: `frames` are selectors, entered from `within`. */
  | { kind: 'page'; page: number; within: Locator | null; frames: readonly string[] }
  | { kind: 'locator'; page: number; locator: Locator }
  | { kind: 'keyboard'; page: number }
  | { kind: 'requests' }
  | { kind: 'expectation'; of: Value; isNegated: boolean }
  | Reading
  /** An answer; null where it is not that of a request of its own. */
  | { kind: 'response'; request: HttpRequest | null }
  | { kind: 'json'; request: HttpRequest; path: string }
  | { kind: 'unknown'; text: string }

/** A text. `plain` has the values that variables of the environment fall back to, for addresses, which are needed at once. */
export interface Text {
  kind: 'text'
  template: string
  plain: string
}

export interface Regex {
  kind: 'regex'
  source: string
  flags: string
}

/** What a script reads from a page, or asks of a response, to compare it. */
export interface Reading {
  kind: 'reading'
  what:
    | 'title'
    | 'url'
    | 'text'
    | 'value'
    | 'attribute'
    | 'count'
    | 'visible'
    | 'hidden'
    | 'checked'
    | 'enabled'
    | 'disabled'
    | 'status'
    | 'ok'
    | 'body'
  attribute: string | null
  page: number
  locator: Locator | null
  request: HttpRequest | null
}

export const nothing: Value = { kind: 'nothing' }

export function plainText(value: string): Text {
  return { kind: 'text', template: literal(value), plain: literal(value) }
}

export function pageOf(page: number): Value {
  return { kind: 'page', page, within: null, frames: [] }
}

/** A template of what a value is as a text; undefined where that is not known. */
export function asText(value: Value | undefined): Text | undefined {
  if (value?.kind === 'text') return value
  if (value?.kind === 'number') return plainText(String(value.number))
  return value?.kind === 'boolean' ? plainText(String(value.isTrue)) : undefined
}

export function joinTexts(texts: readonly Text[]): Text | undefined {
  const length = texts.reduce((sum, { template }) => sum + template.length, 0)
  if (length > textCharactersMax) return undefined
  return {
    kind: 'text',
    template: texts.map(({ template }) => template).join(''),
    plain: texts.map(({ plain }) => plain).join(''),
  }
}

/** A list, or what is too large to be one: values that hold each other grow without an end. */
export function listOf(items: readonly Value[], text: string): Value {
  const size = items.reduce((sum, item) => sum + sizeOf(item), 1)
  return size > textCharactersMax ? { kind: 'unknown', text } : { kind: 'list', items, size }
}

export function recordOf(entries: ReadonlyMap<string, Value>, text: string): Value {
  const size = [...entries].reduce((sum, [name, value]) => sum + name.length + sizeOf(value), 1)
  return size > textCharactersMax ? { kind: 'unknown', text } : { kind: 'record', entries, size }
}

function sizeOf(value: Value): number {
  if (value.kind === 'list' || value.kind === 'record') return value.size
  return value.kind === 'text' ? value.template.length + 1 : 1
}

/** Names and what they mean, in a function or around it. */
export class Scope {
  readonly #values = new Map<string, Value>()
  readonly #around: Scope | null

  constructor(around: Scope | null) {
    this.#around = around
  }

  find(name: string): Value | undefined {
    return this.#values.get(name) ?? this.#around?.find(name)
  }

  /** Gives a name its value where the name is known, or else here. */
  assign(name: string, value: Value): void {
    const owner = this.#ownerOf(name) ?? this
    owner.#values.set(name, value)
  }

  declare(name: string, value: Value): void {
    this.#values.set(name, value)
  }

  #ownerOf(name: string): Scope | undefined {
    if (this.#values.has(name)) return this
    return this.#around === null ? undefined : this.#around.#ownerOf(name)
  }
}

/** Arguments of a call. Options that nobody asks for are told of when all is read. */
export class Arguments {
  readonly values: readonly Value[]
  readonly #asked = new Set<string>()

  constructor(values: readonly Value[]) {
    this.values = values
  }

  /** Arguments from the second on, as of `page.click(selector, …)`. */
  rest(): Arguments {
    return new Arguments(this.values.slice(1))
  }

  at(index: number): Value | undefined {
    const value = this.values[index]
    // Python may name what JavaScript gives by its place.
    return value?.kind === 'record' ? undefined : value
  }

  /** An option of the record at the end. */
  option(name: string): Value | undefined {
    this.#asked.add(name)
    const last = this.values.at(-1)
    return last?.kind === 'record' ? last.entries.get(name) : undefined
  }

  /** An argument by its place, or by its name, as a template. */
  text(index: number, name: string): string {
    return this.texts(index, name).template
  }

  texts(index: number, name: string): Text {
    const value = this.at(index) ?? this.option(name)
    const text = asText(value)
    if (text === undefined) throw unknownValue(value)
    return text
  }

  number(name: string): number | undefined {
    const value = this.option(name)
    return value?.kind === 'number' ? value.number : undefined
  }

  isTrue(name: string): boolean {
    const value = this.option(name)
    return value?.kind === 'boolean' && value.isTrue
  }

  /** Names of the options that nobody asked for. */
  unasked(): string[] {
    const last = this.values.at(-1)
    return last?.kind === 'record' ? [...last.entries.keys()].filter((name) => !this.#asked.has(name)) : []
  }
}

/** Says that a value is not known before the script runs. */
export function unknownValue(value: Value | undefined): Unmapped {
  const what = value?.kind === 'unknown' ? `"${oneLine(value.text, 80)}"` : 'A value of it'
  return new Unmapped(`${what} is known only when the script runs. Write a text or a variable in its place.`)
}
