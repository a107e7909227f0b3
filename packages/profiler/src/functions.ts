import type { LiveItem } from '@flamegate/live'
import { nsPerMs } from './clock.ts'
import type { Clock } from './clock.ts'
import { Distribution } from './distribution.ts'
import { NumberLog } from './log.ts'
import type { LogColumns } from './log.ts'
import type { AnyFunction } from './profiler.ts'

/** How long the calls of a function took. */
export class FunctionTiming {
  readonly id: string
  readonly #name: string
  readonly #now: Clock
  readonly #duration = new Distribution()
  readonly #log: NumberLog
  #failed = 0

  constructor(id: string, name: string, now: Clock, logEntries: number) {
    this.id = id
    this.#name = name
    this.#now = now
    this.#log = new NumberLog(logEntries)
  }

  /** A call has ended that began then. */
  ended(from: number): void {
    const at = this.#now()
    const ns = (at - from) * nsPerMs
    this.#duration.add(ns)
    this.#log.add(at, ns)
  }

  failed(from: number): void {
    this.#failed++
    this.ended(from)
  }

  read(): LiveItem {
    return {
      id: this.id,
      name: this.#name,
      counters: { failed: this.#failed },
      distributions: { duration: this.#duration.read() },
    }
  }

  drain(epochOffsetMs: number): LogColumns | undefined {
    return this.#log.drain(epochOffsetMs)
  }
}

/**
 * The same function, measured. A call of an async function lasts until its promise settles; of a generator, it is what all its steps
 * took together, without what their consumer did between.
 */
export function measured<F extends AnyFunction>(fn: F, timing: FunctionTiming, now: Clock): F {
  const kind = Object.prototype.toString.call(fn)
  const wrapped =
    kind === '[object GeneratorFunction]' || kind === '[object AsyncGeneratorFunction]'
      ? measuredGenerator(fn, timing, now)
      : measuredCall(fn, timing, now)
  keepFace(wrapped, fn)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- in its face and in what it does, it is the same
  return wrapped as F
}

function measuredCall(fn: AnyFunction, timing: FunctionTiming, now: Clock): AnyFunction {
  return function (this: unknown, ...args: unknown[]): unknown {
    const from = now()
    let result: unknown
    try {
      result =
        new.target === undefined ? Reflect.apply(fn, this, args) : Reflect.construct(fn, args, new.target)
    } catch (error) {
      timing.failed(from)
      throw error
    }
    if (!isPlainPromise(result)) {
      timing.ended(from)
      return result
    }
    // What is returned is the promise of after, so that a rejection that nobody handles stays one.
    return result.then(
      (value) => {
        timing.ended(from)
        return value
      },
      (error: unknown) => {
        timing.failed(from)
        throw error
      },
    )
  }
}

/** Not one that has methods of its own, which would be lost, and not a thenable that may begin its work only when it is awaited. */
function isPlainPromise(result: unknown): result is Promise<unknown> {
  return (
    result instanceof Promise &&
    Object.getPrototypeOf(result) === Promise.prototype &&
    Reflect.ownKeys(result).length === 0
  )
}

type AnyGenerator = Generator | AsyncGenerator
type Step = 'next' | 'return' | 'throw'

function measuredGenerator(fn: AnyFunction, timing: FunctionTiming, now: Clock): AnyFunction {
  // Between the function's own prototype and its generators, so that making one of these costs little.
  const prototype: object = Object.create(fn.prototype)
  for (const method of ['next', 'return', 'throw'] as const)
    Object.defineProperty(prototype, method, {
      value(this: { [call]: GeneratorCall }, ...values: [unknown]): unknown {
        return this[call].step(method, values)
      },
      writable: true,
      configurable: true,
    })
  return function (this: unknown, ...args: unknown[]): unknown {
    const generator = Object.create(prototype)
    generator[call] = new GeneratorCall(Reflect.apply(fn, this, args), timing, now)
    return generator
  }
}

const call = Symbol('call')

function isLast(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'done' in result && result.done === true
}

/** The steps of a generator, added up. */
class GeneratorCall {
  readonly #inner: AnyGenerator
  readonly #timing: FunctionTiming
  readonly #now: Clock
  #spentMs = 0
  #isOver = false

  constructor(inner: AnyGenerator, timing: FunctionTiming, now: Clock) {
    this.#inner = inner
    this.#timing = timing
    this.#now = now
  }

  step(method: Step, values: [unknown]): unknown {
    const from = this.#now()
    let result: unknown
    try {
      result = Reflect.apply(this.#inner[method], this.#inner, values)
    } catch (error) {
      return this.#fail(from, error)
    }
    if (!(result instanceof Promise)) return this.#settle(from, result)
    return result.then(
      (settled: unknown) => this.#settle(from, settled),
      (error: unknown) => this.#fail(from, error),
    )
  }

  #settle(from: number, result: unknown): unknown {
    this.#spentMs += this.#now() - from
    if (isLast(result) && this.#end()) this.#timing.ended(this.#now() - this.#spentMs)
    return result
  }

  #fail(from: number, error: unknown): never {
    this.#spentMs += this.#now() - from
    if (this.#end()) this.#timing.failed(this.#now() - this.#spentMs)
    throw error
  }

  /** @returns whether it has not ended before: whoever asks on after the end gets no other call */
  #end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    return true
  }
}

/** Name, length, what was attached to it, and the prototype of what it constructs. */
function keepFace(wrapped: AnyFunction, fn: AnyFunction): void {
  Object.setPrototypeOf(wrapped, Object.getPrototypeOf(fn))
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(fn)))
    if (key !== 'arguments' && key !== 'caller') Object.defineProperty(wrapped, key, property)
  for (const key of Object.getOwnPropertySymbols(fn))
    Object.defineProperty(wrapped, key, Object.getOwnPropertyDescriptor(fn, key)!)
}
