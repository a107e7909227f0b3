import type { ImportedElement, ReportBuilder } from '../report.ts'

/** A command that can become nothing. The message tells why, and what to do instead. */
export class Unmapped extends Error {}

/** What is to be told of the element that is read at the moment. */
export class Telling {
  readonly notes = new Set<string>()
  actionId: string | null = null

  /** Something that is not quite as the source has it. */
  note(text: string): void {
    this.notes.add(text)
  }
}

export type Told = Pick<ImportedElement, 'outcome' | 'note' | 'actionId'>

/** Reads an element, and gives what became of it. */
export function toldOf(read: (telling: Telling) => void): Told {
  const telling = new Telling()
  try {
    read(telling)
  } catch (error) {
    if (!(error instanceof Unmapped)) throw error
    if (telling.actionId === null) return { outcome: 'dropped', note: error.message, actionId: null }
    telling.note(error.message)
  }
  const { actionId, notes } = telling
  return notes.size === 0
    ? { outcome: 'mapped', note: null, actionId }
    : { outcome: 'approximated', note: [...notes].join(' '), actionId }
}

const nameCharactersMax = 200

/** Puts an element into the report; what is long of its name is cut. */
export function report(
  to: ReportBuilder,
  element: Pick<ImportedElement, 'place' | 'kind' | 'name'>,
  told: Told,
): void {
  const name = oneLine(element.name)
  to.report.elements.push({ ...element, name, ...told })
}

/** A text on one line, cut to what can be read at a glance. */
export function oneLine(text: string, charactersMax = nameCharactersMax): string {
  const line = text
    .slice(0, charactersMax * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > charactersMax ? `${line.slice(0, charactersMax - 1)}…` : line
}
