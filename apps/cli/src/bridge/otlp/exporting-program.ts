import { hash } from 'node:crypto'
import {
  addedTo,
  liveSections,
  type ItemsBefore,
  type LivePart,
  type OtlpReceived,
  type ReceivedLivePush,
} from '@flamegate/live'

const recentMax = 128

/** A program that exports: how it stands after all that it sent, and what of that is not pushed yet. */
export class ExportingProgram {
  #items: ItemsBefore = new Map()
  #sections: ReceivedLivePush['sections'] = {}
  #logs: ReceivedLivePush['logs'] = []
  /** What tells the last requests from all others. */
  readonly #recent = new Set<string>()
  heardAt = 0

  take(received: OtlpReceived, nowMs: number): void {
    this.heardAt = nowMs
    if (received.identity !== undefined && this.#isRepeated(received.identity)) return
    const { sections, logs } = addedTo(this.#items, received, nowMs)
    const items = new Map(this.#items)
    for (const name of liveSections) {
      const section = sections[name]
      if (section !== undefined) items.set(name, section)
    }
    this.#items = items
    this.#sections = { ...this.#sections, ...sections }
    this.#logs.push(...logs)
  }

  /** An exporter that heard no answer sends the same request again. */
  #isRepeated(identity: string): boolean {
    const digest = hash('sha256', identity, 'base64')
    if (this.#recent.has(digest)) return true
    this.#recent.add(digest)
    for (const oldest of [...this.#recent].slice(0, -recentMax)) this.#recent.delete(oldest)
    return false
  }

  /** What is new since it was asked before, if anything. */
  part(): LivePart | undefined {
    const [sections, logs] = [this.#sections, this.#logs]
    if (Object.keys(sections).length === 0) return undefined
    this.#sections = {}
    this.#logs = []
    return { at: this.heardAt, sections, logs }
  }
}
