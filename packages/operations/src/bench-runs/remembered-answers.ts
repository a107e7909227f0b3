/**
 * Answers that cost a lot and are asked for by many at once, as all items of a report ask what was measured of its run. An answer
 * that is being worked out is shared; one that is there is kept for as long as whoever asked for it said.
 */
export class RememberedAnswers<T> {
  readonly #answers = new Map<string, Promise<T>>()
  readonly #answersMax: number

  constructor(answersMax: number) {
    this.#answersMax = answersMax
  }

  async get(key: string, keepMs: number, ask: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key)
    // Whoever asked first may have hung up since, which is no failure of the others.
    if (known !== undefined) return known.catch(ask)
    const asked = ask()
    this.#answers.set(key, asked)
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > this.#answersMax && oldest !== undefined) this.#answers.delete(oldest)
    const forget = () => {
      if (this.#answers.get(key) === asked) this.#answers.delete(key)
    }
    asked.then(() => (keepMs === 0 ? forget() : setTimeout(forget, keepMs).unref()), forget)
    return asked
  }
}
