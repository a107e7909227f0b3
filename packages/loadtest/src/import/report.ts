export type ImportOutcome = 'mapped' | 'approximated' | 'dropped'

/** What became of one element of a source. */
export interface ImportedElement {
  /** Where in the source: `log.entries[12]`, `line 40`, `TestPlan > Thread Group > Login`. */
  place: string
  /** As the source calls it: `entry`, `HTTPSamplerProxy`, `item`, `command`. */
  kind: string
  name: string
  outcome: ImportOutcome
  /** What was done instead, or why it was dropped; of what was mapped, what else is to be known of it, or null. */
  note: string | null
  /** Of the action that it became or is a part of. */
  actionId: string | null
}

/** What an import read: every element of the source is in it, once. */
export interface ImportReport {
  format: string
  elements: ImportedElement[]
  /** What is to be said of the whole. */
  notes: string[]
}

/** Each element as it is told of. */
export class ReportBuilder {
  readonly report: ImportReport

  constructor(format: string) {
    this.report = { format, elements: [], notes: [] }
  }

  mapped(element: Omit<ImportedElement, 'outcome' | 'note'>, note: string | null = null): void {
    this.report.elements.push({ ...element, outcome: 'mapped', note })
  }

  approximated(element: Omit<ImportedElement, 'outcome' | 'note'>, note: string): void {
    this.report.elements.push({ ...element, outcome: 'approximated', note })
  }

  dropped(element: Omit<ImportedElement, 'outcome' | 'note' | 'actionId'>, note: string): void {
    this.report.elements.push({ ...element, outcome: 'dropped', note, actionId: null })
  }

  note(text: string): void {
    this.report.notes.push(text)
  }
}

/** How many elements there were, and what became of them: `read` is the sum of the others. */
export function countOutcomes({ elements }: ImportReport): Record<'read' | ImportOutcome, number> {
  const counts = { read: elements.length, mapped: 0, approximated: 0, dropped: 0 }
  for (const { outcome } of elements) counts[outcome]++
  return counts
}
