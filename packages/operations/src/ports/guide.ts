/** A text for agents, or the schema of a document. */
export interface Guide {
  /** `explain-regression`; of a schema `run.json`. */
  name: string
  title: string
  /** One sentence: what it is good for. */
  description: string
  mediaType: 'text/markdown' | 'application/schema+json'
  text: string
  /** Where anybody can read it. */
  publicUrl: string
}
