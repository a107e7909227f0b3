/** How many objects of a class there are, and their own bytes without what they hold. */
export interface HeapClass {
  name: string
  count: number
  bytes: number
}

interface Layout {
  types: readonly string[]
  fields: number
  typeAt: number
  nameAt: number
  sizeAt: number
}

type Part = 'head' | 'nodes' | 'between' | 'strings' | 'done'

const headEnd = '"nodes":['
const stringsStart = '"strings":['
/** Names are looked at in tables, and a string of a program may be all of a file. */
const nameBytesMax = 500

/**
 * Counts the objects of a V8 heap snapshot by class while it is being written, so that the text, which is larger than the heap, is
 * never there as a whole. Objects count by their constructor, functions by their name, all else by its type.
 * Format: https://github.com/v8/v8/blob/main/src/profiler/heap-snapshot-generator.cc, HeapSnapshotJSONSerializer
 */
export class HeapClassCounter {
  #part: Part = 'head'
  #seen = ''
  #layout: Layout | undefined
  #field = 0
  #number = 0
  #hasDigits = false
  #type = 0
  #name = 0
  /** By type and index of the name: how many, and their bytes. */
  readonly #byName = new Map<number, Map<number, { count: number; bytes: number }>>()
  #string = 0
  #isInString = false
  #isEscaped = false
  #bytes: number[] = []
  readonly #names = new Map<number, string>()

  /** The next piece of the snapshot. */
  add(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length && this.#part !== 'done') {
      const byte = chunk[at] ?? 0
      if (this.#part === 'between') at = this.#skip(chunk, at)
      else {
        at++
        if (this.#part === 'nodes') this.#addToNodes(byte)
        else if (this.#part === 'strings') this.#addToStrings(byte)
        else this.#addToHead(byte)
      }
    }
  }

  /** Once all has been added. Largest first. */
  read(): HeapClass[] {
    const classes = new Map<string, HeapClass>()
    for (const [type, names] of this.#byName) {
      for (const [index, { count, bytes }] of names) {
        const name = this.#className(this.#layout?.types[type] ?? 'other', index)
        const found = classes.get(name)
        if (found === undefined) classes.set(name, { name, count, bytes })
        else {
          found.count += count
          found.bytes += bytes
        }
      }
    }
    return [...classes.values()].toSorted((a, b) => b.bytes - a.bytes)
  }

  #className(type: string, index: number): string {
    if (type === 'object' || type === 'native') return this.#names.get(index) ?? `(${type})`
    if (type === 'closure') return `${this.#names.get(index) ?? ''}()`
    return `(${type})`
  }

  #addToHead(byte: number): void {
    this.#seen += String.fromCharCode(byte)
    if (!this.#seen.endsWith(headEnd)) return
    this.#layout = layoutOf(`${this.#seen.slice(0, -headEnd.length).trimEnd().replace(/,$/, '')}}`)
    this.#seen = ''
    this.#part = 'nodes'
  }

  #addToNodes(byte: number): void {
    if (byte >= 48 && byte <= 57) {
      this.#number = this.#number * 10 + byte - 48
      this.#hasDigits = true
      return
    }
    if (this.#hasDigits) this.#endNumber()
    if (byte === 93) this.#part = 'between'
  }

  #endNumber(): void {
    const layout = this.#layout
    if (layout === undefined) return
    if (this.#field === layout.typeAt) this.#type = this.#number
    else if (this.#field === layout.nameAt) this.#name = this.#number
    else if (this.#field === layout.sizeAt) this.#count(this.#number)
    this.#field = (this.#field + 1) % layout.fields
    this.#number = 0
    this.#hasDigits = false
  }

  #count(bytes: number): void {
    let names = this.#byName.get(this.#type)
    if (names === undefined) this.#byName.set(this.#type, (names = new Map()))
    const found = names.get(this.#name)
    if (found === undefined) names.set(this.#name, { count: 1, bytes })
    else {
      found.count++
      found.bytes += bytes
    }
  }

  /** To where the strings begin, in this piece or in a later one; half of the text is edges. */
  #skip(chunk: Buffer, at: number): number {
    const text = this.#seen + chunk.toString('latin1', at)
    const found = text.indexOf(stringsStart)
    this.#seen = text.slice(-stringsStart.length)
    if (found === -1) return chunk.length
    this.#part = 'strings'
    return chunk.length - (text.length - found - stringsStart.length)
  }

  #addToStrings(byte: number): void {
    if (!this.#isInString) {
      if (byte === 34) this.#isInString = true
      else if (byte === 93) this.#part = 'done'
      return
    }
    if (byte === 34 && !this.#isEscaped) {
      this.#endString()
      return
    }
    this.#isEscaped = byte === 92 && !this.#isEscaped
    if (this.#bytes.length < nameBytesMax) this.#bytes.push(byte)
  }

  #endString(): void {
    const isWanted = this.#layout?.types.some(
      (type, index) =>
        (type === 'object' || type === 'native' || type === 'closure') &&
        this.#byName.get(index)?.has(this.#string) === true,
    )
    if (isWanted === true) this.#names.set(this.#string, textOf(this.#bytes))
    this.#string++
    this.#bytes = []
    this.#isInString = false
  }
}

function textOf(bytes: readonly number[]): string {
  const text = Buffer.from(bytes).toString('utf8')
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    // Cut within an escape.
    return text
  }
}

interface Head {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } }
}

function layoutOf(head: string): Layout {
  const { snapshot }: Head = JSON.parse(head)
  const { node_fields: fields, node_types: types } = snapshot.meta
  return {
    types: types[0],
    fields: fields.length,
    typeAt: fields.indexOf('type'),
    nameAt: fields.indexOf('name'),
    sizeAt: fields.indexOf('self_size'),
  }
}
