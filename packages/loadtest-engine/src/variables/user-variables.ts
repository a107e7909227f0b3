import { ActionFailure } from '../action-failure.ts'
import { expandTemplate } from '../program/compiled-template.ts'
import type { CompiledTemplate, Value } from '../program/compiled-template.ts'
import type { Random } from '../random.ts'
import type { FeedContext } from './feed.ts'
import type { NamedFeed, VariablePool } from './variable-pool.ts'

/** What the variables of one user hold. What an action sets counts until the variable is renewed. */
export class UserVariables {
  readonly #pool: VariablePool
  readonly #secrets: ReadonlyMap<string, string>
  readonly #feeds: readonly NamedFeed[]
  readonly #eachUse = new Map<string, NamedFeed>()
  readonly #values = new Map<string, Value>()
  /** Why extractors did not find them. */
  readonly #missing = new Map<string, string>()
  readonly #context: FeedContext
  readonly #lookup = (name: string) => this.get(name)
  readonly #whyNot = (name: string) => this.whyNot(name)
  /** Constants that are being put together. */
  readonly #open = new Set<string>()

  constructor(pool: VariablePool, secrets: ReadonlyMap<string, string>, random: Random) {
    this.#pool = pool
    this.#secrets = secrets
    this.#feeds = pool.feeds()
    this.#context = { random, now: () => Date.now(), expand: (template) => this.expand(template) }
    for (const each of this.#feeds)
      if (each.feed.renewed === 'each_use') for (const name of each.names) this.#eachUse.set(name, each)
  }

  get usesSecrets(): boolean {
    return this.#pool.usesSecrets
  }

  /** Renews what is to be renewed. Gives the one that has no more values; undefined when all have. */
  beginIteration(index: number): NamedFeed | undefined {
    for (const named of this.#feeds) {
      const { feed } = named
      if (feed.renewed === 'each_use' || (feed.renewed === 'once' && index > 0)) continue
      const values = feed.next(this.#context)
      if (values === undefined) return named
      for (const [name, value] of values) this.set(name, value)
    }
    return undefined
  }

  /** @throws ActionFailure naming the variable that has no value */
  expand(template: CompiledTemplate): string {
    return typeof template === 'string' ? template : expandTemplate(template, this.#lookup, this.#whyNot)
  }

  get(name: string): Value | undefined {
    const value = this.#values.get(name)
    if (value !== undefined) return value
    const feed = this.#eachUse.get(name)
    if (feed !== undefined) return feed.feed.next(this.#context)?.get(name)
    const constant = this.#pool.constants.get(name)
    if (constant !== undefined) return this.#constant(name, constant)
    return this.#pool.secretNames.has(name) ? this.#secrets.get(name) : undefined
  }

  /** Its text, where it has one already; undefined where it has to be made, or put together. */
  known(name: string): string | undefined {
    const value = this.#values.get(name) ?? (this.#eachUse.has(name) ? undefined : this.#fixed(name))
    return typeof value === 'string' ? value : undefined
  }

  #fixed(name: string): CompiledTemplate | undefined {
    const constant = this.#pool.constants.get(name)
    return constant === undefined && this.#pool.secretNames.has(name) ? this.#secrets.get(name) : constant
  }

  /** All values of a variable, for those that go through them. */
  all(name: string): readonly string[] {
    const value = this.#values.get(name)
    const list = typeof value === 'object' ? undefined : this.#pool.lists.get(name)
    if (list !== undefined) return list.map((each) => this.expand(each))
    const own = value ?? this.get(name)
    if (own === undefined) throw new ActionFailure(this.whyNot(name))
    return typeof own === 'string' ? [own] : own
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value)
    if (this.#missing.size > 0) this.#missing.delete(name)
  }

  /** An extractor looked for it in vain: what it held before is not what the server says now. */
  lose(name: string, why: string): void {
    this.#values.delete(name)
    this.#missing.set(name, why)
  }

  whyNot(name: string): string {
    const why =
      this.#missing.get(name) ??
      this.#pool.problems.get(name) ??
      (this.#pool.secretNames.has(name) ? 'It is a secret, and no value was given for it.' : undefined)
    return [
      `The variable ${name} has no value.`,
      ...(why === undefined ? this.#pool.fileProblems : [why]),
    ].join(' ')
  }

  #constant(name: string, template: CompiledTemplate): string {
    if (this.#open.has(name))
      throw new ActionFailure(`Constants go round in a circle: ${[...this.#open, name].join(' → ')}.`)
    this.#open.add(name)
    try {
      return this.expand(template)
    } finally {
      this.#open.delete(name)
    }
  }
}
