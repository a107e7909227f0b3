import type { JfrCursor } from './jfr-cursor.ts'
import { skipSteps, type JfrClass, type JfrField, type JfrMetadata, type JfrStep } from './jfr-metadata.ts'

/** What becomes of a field when a value of its class is read. */
const asInteger = 0
const asByte = 1
const asString = 2
const noText = () => undefined

interface Part {
  /** What is stepped over before the field. */
  skip: JfrStep[]
  slot: number
  as: number
}

/**
 * Reads some fields of the values of a class, be they events or constants, and steps over the others. What was read stays
 * in columns until the next value is: nothing is made per value. A field that the class does not have reads as 0.
 */
export class JfrRecord {
  /** Per wanted field, the field of the class. */
  readonly fields: readonly (JfrField | undefined)[]
  /** Per wanted field, the 64 bits of an integer, or a byte. */
  readonly lows: Int32Array
  readonly highs: Int32Array
  readonly strings: (string | undefined)[]
  private readonly parts: Part[] = []
  /** What is behind the last wanted field. */
  private readonly rest: JfrStep[]

  constructor(metadata: JfrMetadata, jfrClass: JfrClass, wanted: readonly string[]) {
    this.fields = wanted.map((name) => jfrClass.fields.find((field) => field.name === name))
    this.lows = new Int32Array(wanted.length)
    this.highs = new Int32Array(wanted.length)
    this.strings = wanted.map(() => undefined)
    let skip: JfrStep[] = []
    for (const field of jfrClass.fields) {
      const slot = wanted.indexOf(field.name)
      const steps = metadata.stepsOfField(field)
      const as = readAs(steps)
      if (slot < 0 || as === undefined) {
        skip.push(...steps)
        continue
      }
      this.parts.push({ skip, slot, as })
      skip = []
    }
    this.rest = skip
  }

  /** `pooled`: the text of a string whose id the cursor read last; without it, pooled strings are undefined. */
  read(cursor: JfrCursor, pooled: () => string | undefined = noText): void {
    const { parts, lows, highs } = this
    for (let index = 0; index < parts.length; index++) {
      const { skip, slot, as } = parts[index]!
      if (skip.length > 0) skipSteps(cursor, skip)
      if (as === asInteger) {
        cursor.readInteger()
        lows[slot] = cursor.low
        highs[slot] = cursor.high
      } else if (as === asByte) lows[slot] = cursor.readByte()
      else this.strings[slot] = cursor.readString(pooled)
    }
  }

  /** Goes on to the end of the value. */
  skipRest(cursor: JfrCursor): void {
    skipSteps(cursor, this.rest)
  }

  /** An int64 as a double, exact within 2^53. */
  number(slot: number): number {
    return this.highs[slot]! * 2 ** 32 + (this.lows[slot]! >>> 0)
  }
}

function readAs([step, ...others]: JfrStep[]): number | undefined {
  if (step === undefined || others.length > 0) return undefined
  if (step.kind === 'string') return asString
  if (step.kind === 'array' || step.count !== 1) return undefined
  return step.kind === 'integers' ? asInteger : asByte
}
