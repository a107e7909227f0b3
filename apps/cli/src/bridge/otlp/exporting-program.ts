import {
  addedTo,
  liveSections,
  type ItemsBefore,
  type LivePart,
  type OtlpReceived,
  type ReceivedLivePush,
} from '@flamegate/live'

/** A program that exports: how it stands after all that it sent, and what of that is not pushed yet. */
export class ExportingProgram {
  #items: ItemsBefore = new Map()
  #sections: ReceivedLivePush['sections'] = {}
  #logs: ReceivedLivePush['logs'] = []
  heardAt = 0

  take(received: OtlpReceived, nowMs: number): void {
    this.heardAt = nowMs
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

  /** What is new since it was asked before, if anything. */
  part(): LivePart | undefined {
    const [sections, logs] = [this.#sections, this.#logs]
    if (Object.keys(sections).length === 0) return undefined
    this.#sections = {}
    this.#logs = []
    return { at: this.heardAt, sections, logs }
  }
}
