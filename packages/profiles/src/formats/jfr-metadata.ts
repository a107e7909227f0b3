import type { JfrCursor } from './jfr-cursor.ts'

/** A class of the file's own description of itself: an event, or what events and constants are made of. */
export interface JfrClass {
  id: number
  /** As of JDK 11; JDK 9 and 10 wrote `com.oracle.jdk.ExecutionSample`. */
  name: string
  fields: JfrField[]
}

export interface JfrField {
  name: string
  classId: number
  /** The value is an id in the pool of its class. */
  isPooled: boolean
  isArray: boolean
  /** Of a duration, such as `TICKS` or `MILLISECONDS`. */
  timespanUnit?: string
}

/** How to step over values: runs of integers or bytes, strings, and arrays of such. */
export type JfrStep =
  | { kind: 'integers'; count: number }
  | { kind: 'bytes'; count: number }
  | { kind: 'string' }
  | { kind: 'array'; of: JfrStep[] }

/** Real classes hold others that hold others, and no more. */
const maxDepth = 8

const primitiveSteps: Readonly<Record<string, JfrStep>> = {
  long: { kind: 'integers', count: 1 },
  int: { kind: 'integers', count: 1 },
  short: { kind: 'integers', count: 1 },
  char: { kind: 'integers', count: 1 },
  byte: { kind: 'bytes', count: 1 },
  boolean: { kind: 'bytes', count: 1 },
  float: { kind: 'bytes', count: 4 },
  double: { kind: 'bytes', count: 8 },
  'java.lang.String': { kind: 'string' },
}

/** The metadata event of a chunk: a table of strings, and a tree of elements like those of XML whose names are in it. */
export class JfrMetadata {
  private readonly classes = new Map<number, JfrClass>()
  private readonly steps = new Map<number, JfrStep[]>()
  private readonly cursor: JfrCursor
  private readonly start: number
  /** How many fields may still be looked at: real metadata have more bytes than that. */
  private fieldsLeft: number

  /** The cursor stands behind size, type, start and duration of the event. */
  constructor(cursor: JfrCursor) {
    this.cursor = cursor
    this.start = cursor.position
    this.fieldsLeft = 1000 + 4 * (cursor.end - cursor.position)
    cursor.skipIntegers(1)
    const strings = readStrings(cursor)
    this.readElements(strings)
  }

  /** Every class, events too. */
  all(): Iterable<JfrClass> {
    return this.classes.values()
  }

  find(id: number): JfrClass | undefined {
    return this.classes.get(id)
  }

  /** How to step over a value of a class. */
  stepsOf(classId: number): JfrStep[] {
    const known = this.steps.get(classId)
    if (known !== undefined) return known
    const steps: JfrStep[] = []
    this.addSteps(classId, steps, 0)
    this.steps.set(classId, steps)
    return steps
  }

  stepsOfField(field: JfrField): JfrStep[] {
    const steps: JfrStep[] = []
    this.addField(field, steps, 0)
    return steps
  }

  private fail(message: string): never {
    this.cursor.fail(message, this.start)
  }

  private addSteps(classId: number, steps: JfrStep[], depth: number): void {
    const jfrClass = this.classes.get(classId)
    if (jfrClass === undefined) this.fail(`the metadata does not say what class ${classId} is`)
    const primitive = primitiveSteps[jfrClass.name]
    if (primitive !== undefined) addStep(steps, primitive)
    for (const field of jfrClass.fields) this.addField(field, steps, depth)
  }

  private addField(field: JfrField, steps: JfrStep[], depth: number): void {
    // Classes may hold themselves, or each two of the next and so on.
    if (depth > maxDepth || this.fieldsLeft-- <= 0)
      this.fail('classes of the metadata hold themselves, or too much')
    const inner = field.isArray ? [] : steps
    if (field.isPooled) addStep(inner, { kind: 'integers', count: 1 })
    else this.addSteps(field.classId, inner, depth + 1)
    if (field.isArray) steps.push({ kind: 'array', of: inner })
  }

  private readElements(strings: string[]): void {
    const { cursor } = this
    const stringAt = (): string => {
      const index = cursor.readLong()
      return strings[index] ?? cursor.fail(`the metadata has no string ${index}`)
    }
    /** The elements that are open, the innermost last, with how many children of theirs are to come. */
    const open: { children: number; jfrClass?: JfrClass | undefined; field?: JfrField | undefined }[] = []
    /** Annotations come before the classes they are of. */
    const annotations: { field: JfrField; classId: number; value: string }[] = []
    do {
      const name = stringAt()
      const attributes = new Map<string, string>()
      for (let left = cursor.readCount(2); left > 0; left--) attributes.set(stringAt(), stringAt())
      const parent = open.at(-1)
      let jfrClass: JfrClass | undefined
      let field: JfrField | undefined
      if (name === 'class') {
        jfrClass = toClass(attributes)
        this.classes.set(jfrClass.id, jfrClass)
      } else if (name === 'field') {
        field = toField(attributes)
        parent?.jfrClass?.fields.push(field)
      } else if (name === 'annotation' && parent?.field !== undefined) {
        const value = attributes.get('value')
        const classId = Number(attributes.get('class'))
        if (value !== undefined) annotations.push({ field: parent.field, classId, value })
      }
      if (parent !== undefined) parent.children--
      open.push({ children: cursor.readCount(3), jfrClass, field })
      while (open.at(-1)?.children === 0) open.pop()
    } while (open.length > 0)

    for (const { field, classId, value } of annotations) {
      if (this.classes.get(classId)?.name === 'jdk.jfr.Timespan') field.timespanUnit = value
    }
  }
}

function readStrings(cursor: JfrCursor): string[] {
  const strings: string[] = []
  const count = cursor.readCount()
  for (let index = 0; index < count; index++) strings.push(cursor.readString(() => undefined) ?? '')
  return strings
}

function toClass(attributes: Map<string, string>): JfrClass {
  const name = (attributes.get('name') ?? '')
    .replace(/^com\.oracle\.jfr\.types\./, 'jdk.types.')
    .replace(/^com\.oracle\.(jdk|jfr)\./, (_match, part) => (part === 'jdk' ? 'jdk.' : 'jdk.jfr.'))
  return { id: Number(attributes.get('id')), name, fields: [] }
}

function toField(attributes: Map<string, string>): JfrField {
  return {
    name: attributes.get('name') ?? '',
    classId: Number(attributes.get('class')),
    isPooled: attributes.has('constantPool'),
    isArray: Number(attributes.get('dimension') ?? 0) > 0,
  }
}

/** Runs of integers, and of bytes, become one step. */
function addStep(steps: JfrStep[], step: JfrStep): void {
  const last = steps.at(-1)
  if (last !== undefined && 'count' in last && 'count' in step && last.kind === step.kind) {
    steps[steps.length - 1] = { ...step, count: last.count + step.count }
  } else steps.push(step)
}

export function skipSteps(cursor: JfrCursor, steps: readonly JfrStep[]): void {
  for (const step of steps) {
    if (step.kind === 'integers') cursor.skipIntegers(step.count)
    else if (step.kind === 'bytes') cursor.skipBytes(step.count)
    else if (step.kind === 'array') skipArray(cursor, step.of)
    else cursor.skipString()
  }
}

function skipArray(cursor: JfrCursor, of: readonly JfrStep[]): void {
  const [only] = of
  if (only === undefined) {
    // Elements without fields take no bytes, and there may be any number of them.
    cursor.skipIntegers(1)
    return
  }
  const count = cursor.readCount()
  if (of.length === 1 && only.kind === 'integers') cursor.skipIntegers(count * only.count)
  else if (of.length === 1 && only.kind === 'bytes') cursor.skipBytes(count * only.count)
  else for (let index = 0; index < count; index++) skipSteps(cursor, of)
}
