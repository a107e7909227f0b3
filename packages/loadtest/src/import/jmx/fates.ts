import type { ReportBuilder } from '../report.ts'
import { eachElement, type JmxElement } from './jmx-element.ts'

interface Fate {
  actionId: string | null
  isUsed: boolean
  notes: Set<string>
}

const notesMax = 6

/**
 * What becomes of each element. One that applies to several samplers is told of again and again: in the report it is there once,
 * with all that was said.
 */
export class Fates {
  readonly #fates = new Map<JmxElement, Fate>()

  mapped(element: JmxElement, actionId: string | null = null): void {
    const fate = this.#of(element)
    fate.isUsed = true
    fate.actionId ??= actionId
  }

  approximated(element: JmxElement, note: string, actionId: string | null = null): void {
    this.mapped(element, actionId)
    this.note(element, note)
  }

  dropped(element: JmxElement, note: string): void {
    this.note(element, note)
  }

  /** Something of the element is not as it was. */
  note(element: JmxElement, note: string): void {
    const { notes } = this.#of(element)
    if (notes.size < notesMax) notes.add(note)
  }

  /** Tells of an element and all below it that nothing of them is kept. */
  droppedWhole(element: JmxElement, note: string): void {
    for (const each of eachElement([element])) if (!this.#fates.has(each)) this.dropped(each, note)
  }

  write(elements: readonly JmxElement[], builder: ReportBuilder): void {
    for (const element of eachElement(elements)) {
      const told = { place: element.place, kind: element.kind, name: element.name }
      const fate = this.#fates.get(element)
      const note = fate === undefined ? '' : [...fate.notes].join(' ')
      if (fate === undefined || !fate.isUsed)
        builder.dropped(told, note === '' ? 'No enabled sampler of a thread group is in its scope.' : note)
      else if (note === '') builder.mapped({ ...told, actionId: fate.actionId })
      else builder.approximated({ ...told, actionId: fate.actionId }, note)
    }
  }

  #of(element: JmxElement): Fate {
    const known = this.#fates.get(element)
    if (known !== undefined) return known
    const fate: Fate = { actionId: null, isUsed: false, notes: new Set() }
    this.#fates.set(element, fate)
    return fate
  }
}
