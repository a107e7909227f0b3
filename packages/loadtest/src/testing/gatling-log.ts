/**
 * Writes a `simulation.log` in bytes as Gatling 3.13 to 3.15 do, after its source, gatling-core's LogFileDataWriter.scala: no Gatling
 * is needed. Times are in milliseconds since the run began.
 */
export class GatlingLogWriter {
  readonly #parts: Buffer[] = []
  readonly #numbers = new Map<string, number>()
  readonly #scenarios: readonly string[]

  constructor(run: { version: string; startMs: number; scenarios: readonly string[]; assertions?: number }) {
    this.#scenarios = run.scenarios
    this.#byte(0)
    this.#text(run.version)
    this.#text('shop.CheckoutSimulation')
    this.#long(BigInt(run.startMs))
    this.#text('')
    this.#int(run.scenarios.length)
    for (const scenario of run.scenarios) this.#text(scenario)
    this.#int(run.assertions ?? 0)
    for (let index = 0; index < (run.assertions ?? 0); index++) {
      // Pickled by BooPickle; nothing here looks into it.
      this.#int(3)
      this.#parts.push(Buffer.from([7, 7, 7]))
    }
  }

  user(scenario: string, isStart: boolean, atMs: number): this {
    this.#byte(2)
    this.#int(this.#scenarios.indexOf(scenario))
    this.#byte(isStart ? 1 : 0)
    this.#int(atMs)
    return this
  }

  request(
    groups: readonly string[],
    name: string,
    [startMs, endMs]: readonly [number, number],
    failure = '',
  ): this {
    this.#byte(1)
    this.#int(groups.length)
    for (const group of groups) this.#cached(group)
    this.#cached(name)
    this.#int(startMs)
    this.#int(endMs)
    this.#byte(failure === '' ? 1 : 0)
    this.#cached(failure)
    return this
  }

  group(groups: readonly string[], [startMs, endMs]: readonly [number, number], isOk = true): this {
    this.#byte(3)
    this.#int(groups.length)
    for (const group of groups) this.#cached(group)
    this.#int(startMs)
    this.#int(endMs)
    this.#int(endMs - startMs)
    this.#byte(isOk ? 1 : 0)
    return this
  }

  error(message: string, atMs: number): this {
    this.#byte(4)
    this.#cached(message)
    this.#int(atMs)
    return this
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts)
  }

  /** A text that came before is its number, below zero. */
  #cached(text: string): void {
    const known = this.#numbers.get(text)
    if (known !== undefined) return this.#int(-known)
    this.#numbers.set(text, this.#numbers.size + 1)
    this.#int(this.#numbers.size)
    this.#text(text)
  }

  /** As JVMs hold strings: a byte for each character if that is enough for all of them, else two. */
  #text(text: string): void {
    if (text === '') return this.#int(0)
    const isLatin = /^[\0-\xff]*$/.test(text)
    const bytes = Buffer.from(text, isLatin ? 'latin1' : 'utf16le')
    this.#int(bytes.length)
    this.#parts.push(bytes)
    this.#byte(isLatin ? 0 : 1)
  }

  #byte(value: number): void {
    this.#parts.push(Buffer.from([value]))
  }

  #int(value: number): void {
    const bytes = Buffer.alloc(4)
    // Java cuts a long to its low bytes.
    bytes.writeInt32BE(value | 0)
    this.#parts.push(bytes)
  }

  #long(value: bigint): void {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64BE(value)
    this.#parts.push(bytes)
  }
}
