import { inputBytesMax, strangeNumbers, type Mutation } from './mutation.ts'
import type { Random } from './random.ts'

type Container = Record<string, unknown> | unknown[]

/** A place in a document: `container[key]`. */
interface Place {
  container: Container
  key: string | number
}

/** Text after this stays as it is, with quotes for apostrophes: numbers that JavaScript cannot hold, and deep nesting. */
const verbatim = 'verbatim '

/** Changes of a document in place; it may be anything that JSON can be. */
export function ofDocument(
  change: (document: Container, random: Random, words: readonly string[]) => void,
): Mutation {
  return (bytes, random, { words }) => {
    const document = parsed(bytes)
    if (document === undefined) return undefined
    try {
      for (let times = 1 + random.mostlySmall(4); times > 0; times -= 1) change(document, random, words)
      const changed = Buffer.from(toText(document))
      return changed.length > inputBytesMax ? undefined : changed
    } catch (error) {
      // An earlier change nested it too deep to be copied or written.
      if (error instanceof RangeError) return undefined
      throw error
    }
  }
}

function parsed(bytes: Uint8Array): Container | undefined {
  if (bytes[0] !== 0x7b && bytes[0] !== 0x5b) return undefined
  try {
    const document: unknown = JSON.parse(Buffer.from(bytes).toString())
    return isContainer(document) ? document : undefined
  } catch {
    return undefined
  }
}

function toText(document: Container): string {
  return JSON.stringify(document).replaceAll(/"verbatim ([^"]*)"/g, (_, text: string) =>
    text.replaceAll("'", '"'),
  )
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

/** Goes down at random; long lists are seldom gone through, so that what is above them is met often enough. */
export function anyPlace(document: Container, random: Random): Place | undefined {
  let container = document
  for (;;) {
    const keys = Array.isArray(container) ? container.length : Object.keys(container)
    const key = typeof keys === 'number' ? random.below(keys) : keys[random.below(keys.length)]
    if (key === undefined || keys === 0) return undefined
    const value = valueAt({ container, key })
    if (!isContainer(value) || isEmpty(value) || random.below(6) === 0) return { container, key }
    container = value
  }
}

function isEmpty(value: Container): boolean {
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0
}

export function valueAt({ container, key }: Place): unknown {
  return Reflect.get(container, key)
}

export function put({ container, key }: Place, value: unknown): void {
  // `__proto__` shall be a property as any other.
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true })
}

/** `[[[…]]]` or `{"a":{"a":…}}`, as text: JSON.stringify could not write a document of that depth. */
function nested(depth: number, random: Random): string {
  const name = random.pick(['a', 'id', 'children', 'nodes'])
  return random.below(2) === 0
    ? `${verbatim}${'['.repeat(depth)}${']'.repeat(depth)}`
    : `${verbatim}${`{'${name}':`.repeat(depth)}1${'}'.repeat(depth)}`
}

function strangeValue(random: Random, words: readonly string[]): unknown {
  switch (random.below(8)) {
    case 0:
      return null
    case 1:
      return random.pick([true, false])
    case 2:
      return random.pick(['', 'x', '-1', '0', 'a'.repeat(100_000), '\ud800', '\u0000', random.pick(words)])
    case 3:
      return random.pick<unknown>([[], [[]], [null], [-1], [1, [2]], ['']])
    case 4:
      return random.pick<unknown>([{}, { a: 1 }, { length: 2 ** 31 }, { id: 1, children: [1] }])
    case 5:
      return nested(random.pick([3, 100, 5000, 100_000]), random)
    default:
      return verbatim + random.pick(strangeNumbers)
  }
}

const changeValue = ofDocument((document, random, words) => {
  const place = anyPlace(document, random)
  if (place !== undefined) put(place, strangeValue(random, words))
})

const changeNumber = ofDocument((document, random) => {
  for (let tries = 0; tries < 8; tries += 1) {
    const place = anyPlace(document, random)
    if (place === undefined || typeof valueAt(place) !== 'number') continue
    return put(place, verbatim + random.pick(strangeNumbers))
  }
})

/** One value becomes that of another place: ids that are there twice, cycles, references to what comes later. */
const copyValue = ofDocument((document, random) => {
  const [from, to] = [anyPlace(document, random), anyPlace(document, random)]
  if (from !== undefined && to !== undefined) put(to, structuredClone(valueAt(from)))
})

/** One number becomes another of the same name in another object, as ids and parents are. */
const crossReference = ofDocument((document, random) => {
  for (let tries = 0; tries < 20; tries += 1) {
    const [from, to] = [anyPlace(document, random), anyPlace(document, random)]
    if (from === undefined || to === undefined) return
    if (typeof valueAt(from) === 'number' && typeof valueAt(to) === 'number') return put(to, valueAt(from))
  }
})

const removeValue = ofDocument((document, random) => {
  const place = anyPlace(document, random)
  if (place === undefined) return
  if (Array.isArray(place.container)) {
    place.container.splice(Number(place.key), 1 + random.mostlySmall(place.container.length))
  } else Reflect.deleteProperty(place.container, place.key)
})

const repeatValue = ofDocument((document, random) => {
  const place = anyPlace(document, random)
  if (place === undefined || !Array.isArray(place.container)) return
  const value = valueAt(place)
  const times = Math.ceil(random.mostlySmall(100_000) / (1 + JSON.stringify(value).length))
  place.container.splice(Number(place.key), 0, ...Array.from({ length: times }, () => value))
})

const renameKey = ofDocument((document, random, words) => {
  const place = anyPlace(document, random)
  if (place === undefined || Array.isArray(place.container)) return
  const value = valueAt(place)
  Reflect.deleteProperty(place.container, place.key)
  put({ ...place, key: random.pick([...words, '__proto__', 'constructor', 'length', '']) }, value)
})

export const jsonMutations: readonly Mutation[] = [
  changeValue,
  changeValue,
  changeNumber,
  changeNumber,
  copyValue,
  crossReference,
  crossReference,
  removeValue,
  repeatValue,
  renameKey,
]
