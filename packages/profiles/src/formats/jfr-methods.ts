import { FormatError } from '../format-error.ts'
import type { FunctionInterner } from '../function-interner.ts'
import type { JfrConstants, JfrPool } from './jfr-constants.ts'
import type { JfrRecord } from './jfr-record.ts'

const unknown = '<unknown>'
/** Of all names of a chunk together: few real ones have more than a megabyte. */
const maxNameLength = 2 ** 27

/**
 * The functions that the methods of a chunk are.
 *
 * - Methods of Java are `com.example.Order.total` in `com/example/Order.java`: recordings do not tell source files, so it is
 *   the outermost class. Overloads are one function, as in async-profiler and jfr-parser; their lines differ.
 * - Classes that the JVM makes up are numbered anew in every run. Their numbers are left out, so that runs compare:
 *   `Order$$Lambda$14/0x0000000800c03000` is `Order$$Lambda`.
 * - async-profiler also knows frames of C, C++ and the kernel, whose class is the library.
 */
export class JfrMethods {
  private readonly constants: JfrConstants
  private readonly functions: FunctionInterner
  private readonly pool: JfrPool | undefined
  private readonly methods: { read(entry: number): JfrRecord } | undefined
  private readonly classNames: JfrClassNames
  private readonly frameTypes: JfrPool | undefined
  private readonly hasNativeFrames: boolean
  private readonly indexes: Int32Array
  private nameLength = 0

  constructor(constants: JfrConstants, functions: FunctionInterner) {
    this.constants = constants
    this.functions = functions
    this.pool = constants.pool('jdk.types.Method')
    this.methods = this.pool && constants.record(this.pool, ['type', 'name'])
    this.indexes = new Int32Array(this.pool?.count ?? 0).fill(-1)
    this.classNames = new JfrClassNames(constants)
    this.frameTypes = constants.pool('jdk.types.FrameType')
    this.hasNativeFrames = hasText(constants, this.frameTypes, 'Kernel')
  }

  /** The number of the method of an id, or 0. */
  find(low: number, high: number): number {
    return this.pool?.find(low, high) ?? 0
  }

  /** The function of a method. */
  functionIndex(entry: number, typeLow: number, typeHigh: number): number {
    if (entry === 0) return this.functions.intern(unknown)
    const known = this.indexes[entry]!
    if (known >= 0) return known
    const { frameTypes } = this
    const type = frameTypes && this.constants.textOf(frameTypes, frameTypes.find(typeLow, typeHigh))
    const index = this.intern(entry, type)
    this.indexes[entry] = index
    return index
  }

  private intern(entry: number, frameType: string | undefined): number {
    const method = this.methods!.read(entry)
    const classEntry = this.classNames.find(method, 0)
    const name = this.constants.text(method, 1) || unknown
    const className = this.classNames.name(classEntry)
    this.nameLength += name.length + className.length
    if (this.nameLength > maxNameLength)
      throw new FormatError('the names of methods are too long', { format: 'jfr' })
    if (frameType === 'Kernel') return this.functions.intern(name, '[kernel.kallsyms]')
    // For the JDK, a method of Java that is written in C is native; for async-profiler, a function of C.
    if (frameType === 'C++' || (frameType === 'Native' && this.hasNativeFrames)) {
      return this.functions.intern(name, className === 'vdso' ? '[vdso]' : className)
    }
    if (className === '') return this.functions.intern(name)
    const stable = withoutNumbers(className)
    return this.functions.intern(`${stable.replaceAll('/', '.')}.${name}`, sourceFile(stable))
  }
}

/** The names of the classes of a chunk as the JVM writes them: `java/lang/String`, `[B`; '' where one is not known. */
export class JfrClassNames {
  private readonly constants: JfrConstants
  private readonly pool: JfrPool | undefined
  private readonly classes: { read(entry: number): JfrRecord } | undefined

  constructor(constants: JfrConstants) {
    this.constants = constants
    this.pool = constants.pool('java.lang.Class')
    this.classes = this.pool && constants.record(this.pool, ['name'])
  }

  /** The number of the class that a slot of a record names, or 0. */
  find(record: JfrRecord, slot: number): number {
    return this.pool?.findOf(record, slot) ?? 0
  }

  name(entry: number): string {
    return entry === 0 ? '' : (this.constants.text(this.classes!.read(entry), 0) ?? '')
  }
}

/** `java.lang.String`, or `byte[]` for `[B`. */
export function readableClassName(name: string): string {
  const dimensions = /^\[*/.exec(name)![0].length
  if (dimensions === 0) return withoutNumbers(name).replaceAll('/', '.')
  const element = name.slice(dimensions)
  const readable = primitives[element] ?? withoutNumbers(element.replace(/^L|;$/g, '')).replaceAll('/', '.')
  return readable + '[]'.repeat(dimensions)
}

const primitives: Readonly<Record<string, string>> = {
  B: 'byte',
  C: 'char',
  D: 'double',
  F: 'float',
  I: 'int',
  J: 'long',
  S: 'short',
  Z: 'boolean',
}

/** Numbers, addresses and hashes come last, one or two of them: `/0x0000000800c03000`, `.225493257`, `+0x7f81/543846639`. */
function withoutNumbers(className: string): string {
  let end = className.length
  for (let part = 0; part < 2; part++) {
    const separators = ['/', '.', '+'].map((separator) => className.lastIndexOf(separator, end - 1))
    const separator = Math.max(...separators)
    if (separator < 1 || !/^(0x[0-9a-f]+|\d[0-9a-f]*)$/.test(className.slice(separator + 1, end))) break
    end = separator
  }
  return className
    .slice(0, end)
    .replace(/(\$\$Lambda|\/Generated(?:Method|Constructor|SerializationConstructor)Accessor)\$?\d+$/, '$1')
}

function sourceFile(className: string): string {
  const nested = className.indexOf('$', className.lastIndexOf('/') + 2)
  return `${(nested < 0 ? className : className.slice(0, nested)).replaceAll('.', '/')}.java`
}

function hasText(constants: JfrConstants, pool: JfrPool | undefined, text: string): boolean {
  if (pool === undefined) return false
  for (let entry = 1; entry < pool.count; entry++) if (constants.textOf(pool, entry) === text) return true
  return false
}
