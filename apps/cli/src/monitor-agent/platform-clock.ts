/** How far the platform's clock is ahead of ours, by the quickest answer so far: of all it says best what time it was. */
export class PlatformClock {
  #offset = { ms: 0, roundTripMs: Infinity }

  /** @param theirs when it answered @param askedAt on our clock, as `now` */
  note(askedAt: number, theirs: string, now = Date.now()): void {
    const roundTripMs = now - askedAt
    if (roundTripMs < this.#offset.roundTripMs)
      this.#offset = { ms: Date.parse(theirs) - (askedAt + now) / 2, roundTripMs }
  }

  /** A moment of the platform's clock, on ours. */
  onOurs(iso: string): number {
    return Date.parse(iso) - this.#offset.ms
  }
}
