import { FormatError } from './format-error.ts'

/** Within another value: by the name of a member, or by the index of an item. */
interface Within {
  parent: JsonValue
  step: string | number
}

/** A value of a parsed JSON document that knows its path, so that every refusal can name its place. */
export class JsonValue {
  readonly value: unknown
  readonly #place: string | Within

  constructor(value: unknown, place: string | Within = '$') {
    this.value = value
    this.#place = place
  }

  /** Put together when it is asked for: a document of a million values has a million paths that nobody reads. */
  get path(): string {
    if (typeof this.#place === 'string') return this.#place
    const { parent, step } = this.#place
    if (typeof step === 'number') return `${parent.path}[${step}]`
    return /^\w+$/.test(step) ? `${parent.path}.${step}` : `${parent.path}[${JSON.stringify(step)}]`
  }

  get isMissing(): boolean {
    return this.value === undefined || this.value === null
  }

  get isList(): boolean {
    return Array.isArray(this.value)
  }

  get isObject(): boolean {
    return typeof this.value === 'object' && this.value !== null && !this.isList
  }

  /** The member `key`; missing when there is none, or when this is no object. */
  get(key: string): JsonValue {
    return new JsonValue(
      this.isObject ? Object.getOwnPropertyDescriptor(this.value, key)?.value : undefined,
      { parent: this, step: key },
    )
  }

  keys(): string[] {
    return Object.keys(this.#object())
  }

  items(): JsonValue[] {
    if (!Array.isArray(this.value)) throw new FormatError('Expected a list', this.path)
    return this.value.map((item, index) => new JsonValue(item, { parent: this, step: index }))
  }

  /** The item at `index`; missing when there is none, or when this is no list. */
  item(index: number): JsonValue {
    return new JsonValue(Array.isArray(this.value) ? this.value[index] : undefined, {
      parent: this,
      step: index,
    })
  }

  /** Whether this is a list, and no empty one, of items for which `is` holds; the first for which it does not ends it. */
  isListOf(is: (item: JsonValue) => boolean): boolean {
    return (
      Array.isArray(this.value) &&
      this.value.length > 0 &&
      this.value.every((item, index) => is(new JsonValue(item, { parent: this, step: index })))
    )
  }

  text(): string {
    if (typeof this.value !== 'string') throw new FormatError('Expected a text', this.path)
    return this.value
  }

  /** A finite number. */
  number(): number {
    if (typeof this.value !== 'number' || !Number.isFinite(this.value)) {
      throw new FormatError('Expected a number', this.path)
    }
    return this.value
  }

  /** Whether `amount` gives one. */
  get isAmount(): boolean {
    return isAmount(this.value)
  }

  /** Whether `amounts` gives one of each. */
  get isListOfAmounts(): boolean {
    return Array.isArray(this.value) && this.value.every(isAmount)
  }

  /** A finite number that is not negative: a time or a count. */
  amount(): number {
    const amount = this.number()
    if (amount < 0) throw new FormatError('Expected a number that is not negative', this.path)
    return amount
  }

  optionalAmount(): number | undefined {
    return this.isMissing ? undefined : this.amount()
  }

  /** A list of amounts without a wrapper for each: there may be a million. */
  amounts(): number[] {
    if (!Array.isArray(this.value)) throw new FormatError('Expected a list', this.path)
    return this.value.map((item: unknown, index) => {
      if (isAmount(item)) return item
      throw new FormatError('Expected a number that is not negative', `${this.path}[${index}]`)
    })
  }

  #object(): object {
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value)) {
      throw new FormatError('Expected an object', this.path)
    }
    return this.value
  }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
