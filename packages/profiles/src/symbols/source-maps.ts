import { FormatError } from '../format-error.ts'
import { toLine } from '../function-interner.ts'
import { limits } from '../limits.ts'
import { SourceMap, type OriginalFunction } from './source-map.ts'

/** A source map as a file. */
export interface SourceMapFile {
  /** Path or address, with its ending `.map`. */
  name: string
  bytes: Uint8Array
}

/**
 * The source maps that came with a profile, and what became of them. A map is of the script that its `file` names whole, with
 * an address or from the root on; else of scripts that are called as the map without `.map`, or end so: `dist/main.js.map` is of
 * `file:///app/dist/main.js`. Of several the longest name counts. Scripts of dependencies are only of maps that are called so
 * from `node_modules` on: they have a `dist/index.js` themselves.
 */
export class SourceMaps {
  /** By the whole name of a script, or by a path that it ends with. */
  private readonly byWhole = new Map<string, NamedMap>()
  private readonly byPath = new Map<string, NamedMap>()
  private readonly byScript = new Map<string, NamedMap | undefined>()
  private readonly refused = new Map<string, string>()
  /** Per map, the functions that start where its script has no line. */
  private readonly beyond = new Map<string, Set<string>>()
  private isUsed = false
  private size = 0

  constructor(files: Iterable<SourceMapFile>) {
    let bytes = 0
    for (const file of files) {
      bytes += file.bytes.length
      if (file.bytes.length > limits.sourceMapBytes)
        this.refused.set(file.name, `it has more than ${limits.sourceMapBytes} bytes`)
      else if (bytes > limits.sourceMapsBytes)
        this.refused.set(file.name, `all together have more than ${limits.sourceMapsBytes} bytes`)
      else this.add(file)
    }
  }

  /** The function of a script that starts at a 1-based place; undefined when no map knows it. */
  functionAt(script: string, line: number, column: number, name: string): OriginalFunction | undefined {
    const found = this.of(script)
    if (found === undefined || toLine(line) === 0 || toLine(column) === 0) return undefined
    return this.tried(found, (map) => {
      if (map.hasLine(line - 1)) return map.functionAt(line - 1, column - 1, name)
      const beyond = this.beyond.get(found.name) ?? new Set()
      this.beyond.set(found.name, beyond.add(`${line}:${column}`))
      return undefined
    })
  }

  /** The line of a source that a 1-based place of a script comes from; without a column, the line alone. 0: not known. */
  lineOf(script: string, file: string, line: number, column?: number): number {
    const found = this.of(script)
    if (found === undefined || toLine(line) === 0) return 0
    const ownColumn = toLine(column ?? 0) === 0 ? undefined : column! - 1
    return this.tried(found, (map) => map.lineOf(file, line - 1, ownColumn)) ?? 0
  }

  /** What could not be used, in sentences. */
  warnings(): string[] {
    const refused = [...this.refused].map(
      ([name, reason]) => `The source map ${name} was left out: ${reason}.`,
    )
    const beyond = [...this.beyond].map(
      ([name, { size }]) =>
        `${size} functions start beyond the end of what the source map ${name} is of, and stay as they were: it may be of another build.`,
    )
    const unused =
      'No source map is of a script in the profile: a map is called as the path of its script ends, with .map after it.'
    return [
      ...beginning(refused, 'source maps were left out'),
      ...beginning(beyond, 'source maps may be of another build'),
      ...(this.byPath.size > 0 && !this.isUsed ? [unused] : []),
    ]
  }

  private add({ name, bytes }: SourceMapFile): void {
    try {
      const map = new SourceMap(bytes, name, limits.sourceMapSegments - this.size)
      this.size += map.size
      if (map.script !== undefined && isWhole(map.script)) this.byWhole.set(map.script, { name, map })
      else this.byPath.set(scriptPath(name.replace(/\.map$/i, '')), { name, map })
    } catch (error) {
      this.refuse(name, error)
    }
  }

  private of(script: string): NamedMap | undefined {
    if (!this.byScript.has(script)) this.byScript.set(script, this.find(script))
    const found = this.byScript.get(script)
    if (found !== undefined) this.isUsed = true
    return found
  }

  private find(script: string): NamedMap | undefined {
    const whole = this.byWhole.get(script)
    if (whole !== undefined || this.byPath.size === 0) return whole
    const parts = scriptPath(script).split('/').slice(-deepestPath)
    const last = parts.lastIndexOf('node_modules')
    const shortest = last < 0 ? parts.length - 1 : last
    for (let from = 0; from <= shortest; from++) {
      const found = this.byPath.get(parts.slice(from).join('/'))
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Mappings are decoded when they are asked for, and only then is it known whether they are whole. */
  private tried<T>(found: NamedMap, ask: (map: SourceMap) => T): T | undefined {
    if (this.refused.has(found.name)) return undefined
    try {
      return ask(found.map)
    } catch (error) {
      this.refuse(found.name, error)
      return undefined
    }
  }

  private refuse(name: string, error: unknown): void {
    if (!(error instanceof FormatError)) throw error
    this.refused.set(name, error.message)
  }
}

/** Of many warnings of one kind, the first ones and how many there are besides. */
function beginning(warnings: readonly string[], what: string): string[] {
  const more = warnings.length - shown
  return more > 0 ? [...warnings.slice(0, shown), `${more} more ${what}.`] : [...warnings]
}

const shown = 10

/** Folders of a script's path that are looked at, from its end. */
const deepestPath = 32

interface NamedMap {
  name: string
  map: SourceMap
}

/** Begins with a scheme, a drive or a slash. */
function isWhole(script: string): boolean {
  return /^([a-z][\w+.-]*:)?[/\\]/i.test(script)
}

/** The path of a script without its scheme, host, query and what begins it: `file:///app/dist/main.js` is `app/dist/main.js`. */
function scriptPath(script: string): string {
  return script
    .replaceAll('\\', '/')
    .replace(/^[a-z][\w+.-]*:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/^(\.{0,2}\/)+/, '')
}
