/** What a virtual user became in the language of another tool. */
export interface Exported {
  text: string
  notes: ExportNote[]
}

/** Something that the other tool cannot say, or says otherwise. */
export interface ExportNote {
  /** Id of the action it is about; null when it is about the whole. */
  actionId: string | null
  text: string
}
