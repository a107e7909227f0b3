import { FormatError } from './format-error.ts'

/** A value of a parsed JSON document that knows its path, so that every refusal can name its place. */
export class JsonValue {
  readonly value: unknown
  readonly path: string

  constructor(value: unknown, path = '$') {
    this.value = value
    this.path = path
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
    const path = /^\w+$/.test(key) ? `${this.path}.${key}` : `${this.path}[${JSON.stringify(key)}]`
    return new JsonValue(
      this.isObject ? Object.getOwnPropertyDescriptor(this.value, key)?.value : undefined,
      path,
    )
  }

  keys(): string[] {
    return Object.keys(this.#object())
  }

  items(): JsonValue[] {
    if (!Array.isArray(this.value)) throw new FormatError('Expected a list', this.path)
    return this.value.map((item, index) => new JsonValue(item, `${this.path}[${index}]`))
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
      if (typeof item === 'number' && Number.isFinite(item) && item >= 0) return item
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
