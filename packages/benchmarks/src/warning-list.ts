const WARNINGS_MAX = 100

/** Collects what a reader leaves out. Bounded, because a log of a million lines must not become a million warnings. */
export class WarningList {
  readonly #collected: { sentences: string[]; omitted: number }
  readonly #within: string

  constructor(collected = { sentences: [] as string[], omitted: 0 }, within = '') {
    this.#collected = collected
    this.#within = within
  }

  /** `place` is a line number or a JSON path. */
  add(place: number | string, sentence: string): void {
    if (this.#collected.sentences.length >= WARNINGS_MAX) {
      this.#collected.omitted += 1
      return
    }
    const where = typeof place === 'number' ? `line ${place}` : place
    this.#collected.sentences.push(`${this.#within}${where}: ${sentence}`)
  }

  /** Takes over sentences of another list, each once. */
  include(sentences: readonly string[]): void {
    for (const sentence of sentences) {
      const { sentences: own } = this.#collected
      if (own.includes(sentence)) continue
      if (own.length < WARNINGS_MAX) own.push(sentence)
      else this.#collected.omitted += 1
    }
  }

  /** The same list, for one file of several: places in it begin with its path. */
  within(path: string): WarningList {
    return new WarningList(this.#collected, `${this.#within}${path}, `)
  }

  list(): string[] {
    const { sentences, omitted } = this.#collected
    return omitted === 0 ? [...sentences] : [...sentences, `${omitted} further warnings are left out.`]
  }
}
