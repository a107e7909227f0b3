const WARNINGS_MAX = 100

/** Collects what a reader leaves out. Bounded, because a log of a million lines must not become a million warnings. */
export class WarningList {
  readonly #sentences: string[] = []
  #omitted = 0

  /** `place` is a line number or a JSON path. */
  add(place: number | string, sentence: string): void {
    if (this.#sentences.length >= WARNINGS_MAX) this.#omitted += 1
    else this.#sentences.push(`${typeof place === 'number' ? `line ${place}` : place}: ${sentence}`)
  }

  list(): string[] {
    return this.#omitted === 0
      ? [...this.#sentences]
      : [...this.#sentences, `${this.#omitted} further warnings are left out.`]
  }
}
