import { decodeUri } from '../../text/decode-uri.ts'
import { pointerNames } from '../../json/json-pointer.ts'
import { isObject, type JsonObject } from '../../json/json-values.ts'

const hopsMax = 20
const pointerCharactersMax = 1000

/** Finds what `$ref` means inside of the document. Nothing is fetched. */
export class References {
  readonly #root: JsonObject

  constructor(root: JsonObject) {
    this.#root = root
  }

  /** The object that is meant; undefined when it is none, or is not in the document. */
  resolve(value: unknown): JsonObject | undefined {
    let at = value
    for (let hop = 0; hop < hopsMax; hop++) {
      if (!isObject(at)) return undefined
      const ref = at['$ref']
      if (typeof ref !== 'string') return at
      at = this.#follow(ref)
    }
    return undefined
  }

  /** A JSON pointer as a fragment, RFC 6901. */
  #follow(ref: string): unknown {
    if (!ref.startsWith('#/') || ref.length > pointerCharactersMax) return undefined
    let at: unknown = this.#root
    const names = pointerNames(decodeUri(ref.slice(1)))
    if (names === undefined) return undefined
    for (const key of names) {
      if (Array.isArray(at)) at = at[Number(key)]
      else if (isObject(at) && Object.hasOwn(at, key)) at = at[key]
      else return undefined
    }
    return at
  }
}

/** Why something with a `$ref` cannot be read. */
export function whyUnresolved(value: unknown): string {
  const ref = isObject(value) ? value['$ref'] : undefined
  return typeof ref === 'string' && !ref.startsWith('#')
    ? `It is in another file, ${ref.slice(0, 200)}: put all files into one first, such as with npx @redocly/cli bundle.`
    : 'It is not there, or is no object.'
}
