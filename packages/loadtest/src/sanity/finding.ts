/** ERROR: it cannot work. WARNING: it probably does not do what is meant. INFO: worth knowing. */
export const grades = ['ERROR', 'WARNING', 'INFO'] as const
export type Grade = (typeof grades)[number]

/** A fault in the design of a virtual user, found without sending anything. */
export interface Finding {
  grade: Grade
  /** The same for the same kind of fault: `missing_file`. */
  code: string
  /** Null where it is about the whole, a variable or a server. */
  actionId: string | null
  /** What is wrong. */
  words: string
  /** How to mend it. */
  advice: string
}

export type Report = (grade: Grade, code: string, words: string, advice: string) => void
