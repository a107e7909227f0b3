import { SourceError } from '../import/importer.ts'
import { gatlingGroup, gatlingRequest } from './gatling-samples.ts'
import { BadBytes, JavaBytes, OutOfBytes } from './java-bytes.ts'
import type { ResultReader, ResultSink } from './result-sink.ts'

/** Whether a file begins as a simulation.log in bytes does: with a record of the run, and in it the version, behind its length. */
export function isGatlingBinaryLog(start: Uint8Array): boolean {
  const [kind, ...length] = start.subarray(0, 5)
  const [high, middle, low, bytes = 0] = length
  if (kind !== 0 || high !== 0 || middle !== 0 || low !== 0) return false
  return /^\d+\.\d+/.test(Buffer.from(start.subarray(5, 5 + bytes)).toString('latin1'))
}

/**
 * Reads Gatling's `simulation.log` in bytes, which versions 3.13 and later write: a record of the run, and then one for each thing that
 * happened, with times in milliseconds since the run began
 * ([writer](https://github.com/gatling/gatling/blob/v3.15.1/gatling-core/src/main/scala/io/gatling/core/stats/writer/LogFileDataWriter.scala),
 * [reader](https://github.com/gatling/gatling/blob/v3.15.1/gatling-charts/src/main/scala/io/gatling/charts/stats/LogFileReader.scala)).
 * What a run that was killed did not write any more is told, and the rest counts.
 */
export const readGatlingBinaryLog: ResultReader = async (content, sink) => {
  const records = new GatlingRecords(sink)
  let rest = Buffer.alloc(0)
  for await (const piece of content) {
    const bytes = Buffer.concat([rest, piece])
    rest = bytes.subarray(records.read(bytes))
  }
  records.end(rest.length)
}

/** More than Gatling has any use for, and few enough to be held. */
const groupsMax = 1000
const scenariosMax = 10_000
const assertionsMax = 10_000
/** Names and messages have to be held, because later records refer to them: so many bytes, and what each of them is besides. */
const heldBytesMax = 200_000_000
const bytesOfEach = 100

class GatlingRecords {
  readonly #sink: ResultSink
  #version = ''
  /** Since 1970. */
  #startMs = 0n
  #scenarios = 0
  #users = 0
  readonly #texts = new Map<number, string>()
  #heldBytes = 0
  /** Records that were read, and the bytes that they took. */
  #count = 0
  #bytes = 0

  constructor(sink: ResultSink) {
    this.#sink = sink
  }

  /** Reads the records that are whole, and tells how many bytes they are. */
  read(bytes: Buffer): number {
    const from = new JavaBytes(bytes, 0)
    let end = 0
    try {
      while (end < bytes.length) {
        if (this.#count === 0) this.#readRun(from)
        else this.#readRecord(from)
        this.#count++
        this.#bytes += from.at - end
        end = from.at
      }
    } catch (error) {
      if (error instanceof BadBytes) throw this.#refusal(error.message)
      if (!(error instanceof OutOfBytes)) throw error
    }
    return end
  }

  end(bytesLeft: number): void {
    if (bytesLeft === 0) return
    if (this.#count === 0) throw this.#refusal('the file ends within it')
    this.#sink.skip(`record ${this.#count + 1}`, 'the file ends within it')
  }

  #refusal(why: string): SourceError {
    const version = this.#version === '' ? '' : ` of Gatling ${this.#version}`
    return new SourceError(
      `This simulation.log${version} cannot be read on from here: ${why}. Either it is damaged, or another version wrote it: those of Gatling 3.13 to 3.15 are known.`,
      `record ${this.#count + 1} (byte ${this.#bytes})`,
    )
  }

  #readRun(from: JavaBytes): void {
    from.byte()
    this.#version = from.text()
    if (!/^3\.(?:1[2-9]|[2-9]\d)\b/.test(this.#version)) throw new BadBytes('its records are not known')
    // The class of the simulation.
    from.text()
    this.#startMs = from.long()
    // What whoever ran it wrote of it.
    from.text()
    this.#scenarios = from.count(scenariosMax)
    for (let index = 0; index < this.#scenarios; index++) from.text()
    for (let left = from.count(assertionsMax); left > 0; left--) from.skipBytes()
  }

  #readRecord(from: JavaBytes): void {
    const kind = from.byte()
    switch (kind) {
      case 1:
        return this.#readRequest(from)
      case 2:
        return this.#readUser(from)
      case 3:
        return this.#readGroup(from)
      case 4:
        // An error of the simulation itself, which is no request: its words, and when.
        this.#text(from)
        from.int()
        return
      default:
        throw new BadBytes(`a record of the kind ${kind} is not known`)
    }
  }

  #readUser(from: JavaBytes): void {
    // Which of the scenarios it is of.
    const scenario = from.int()
    if (scenario < 0 || scenario >= this.#scenarios) throw new BadBytes(`there is no scenario ${scenario}`)
    const isStart = from.boolean()
    const atMs = this.#timeOf(from.int())
    this.#users = Math.max(0, this.#users + (isStart ? 1 : -1))
    this.#sink.users('', atMs, this.#users)
  }

  #readRequest(from: JavaBytes): void {
    const path = this.#path(from)
    const name = this.#text(from)
    const [start, end] = [from.int(), from.int()]
    const isOk = from.boolean()
    const message = this.#text(from).trim()
    // A message of a WebSocket or of events that nobody asked for has the least time there is as its end. Gatling counts none of them.
    if (end === Number(BigInt.asIntN(32, -this.#startMs))) return
    if (end < start) return this.#skipBackwards()
    const [startMs, endMs] = [this.#timeOf(start), this.#timeOf(end)]
    this.#sink.sample(gatlingRequest({ path, name, startMs, endMs, isOk }, message))
  }

  #readGroup(from: JavaBytes): void {
    const path = this.#path(from)
    const name = path.pop()
    const [start, end] = [from.int(), from.int()]
    // How long its requests took together.
    from.int()
    const isOk = from.boolean()
    if (name === undefined) throw new BadBytes('a group has no name')
    if (end < start) return this.#skipBackwards()
    const [startMs, endMs] = [this.#timeOf(start), this.#timeOf(end)]
    this.#sink.sample(gatlingGroup({ path, name, startMs, endMs, isOk }))
  }

  #skipBackwards(): void {
    this.#sink.skip(`record ${this.#count + 1}`, 'it ends before it begins')
  }

  #timeOf(offsetMs: number): number {
    return Number(this.#startMs) + offsetMs
  }

  #path(from: JavaBytes): string[] {
    return Array.from({ length: from.count(groupsMax) }, () => this.#text(from))
  }

  /** A text with a number, under which it is meant again later: then the number is below zero, and nothing follows. */
  #text(from: JavaBytes): string {
    const number = from.int()
    const known = this.#texts.get(Math.abs(number))
    if (number < 0) {
      if (known === undefined) throw new BadBytes(`there is no text ${-number}`)
      return known
    }
    // As in the log that is text.
    const text = from.text().replaceAll(/[\n\r\t]/g, ' ')
    // A record of which the end was not there yet is read once more.
    if (known === undefined) this.#hold(text)
    this.#texts.set(number, text)
    return text
  }

  #hold(text: string): void {
    this.#heldBytes += text.length * 2 + bytesOfEach
    if (this.#heldBytes > heldBytesMax)
      throw new SourceError(
        `There are ${this.#texts.size} different names and messages in it up to here, and no more can be held. Messages that are all different have ids or times in them.`,
        `record ${this.#count + 1}`,
      )
  }
}
