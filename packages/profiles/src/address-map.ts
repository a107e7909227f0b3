interface Entry<T> {
  start: number
  end: number
  value: T
}

const bucketSize = 512

/**
 * What lies at which addresses, while it changes. Entries do not overlap: a new one removes those that it covers, also in
 * part. Kept as a sorted list in pieces, so that adding to it does not move all of it.
 */
export class AddressMap<T> {
  private readonly buckets: Entry<T>[][] = [[]]

  add(start: number, size: number, value: T): void {
    if (!(size > 0)) return
    const end = start + size
    for (
      let covered = this.lastBefore(end);
      covered !== undefined && covered.end > start;
      covered = this.lastBefore(end)
    )
      this.delete(covered.start)
    const place = this.bucketOf(start)
    const bucket = this.buckets[place]!
    bucket.splice(firstAfter(bucket, start), 0, { start, end, value })
    if (bucket.length > bucketSize) this.buckets.splice(place + 1, 0, bucket.splice(bucketSize / 2))
  }

  /** What covers an address. */
  at(address: number): T | undefined {
    const bucket = this.buckets[this.bucketOf(address)]!
    const entry = bucket[firstAfter(bucket, address) - 1]
    return entry !== undefined && address < entry.end ? entry.value : undefined
  }

  /** Removes and gives what starts there. */
  delete(start: number): { size: number; value: T } | undefined {
    const place = this.bucketOf(start)
    const bucket = this.buckets[place]!
    const index = firstAfter(bucket, start) - 1
    const entry = bucket[index]
    if (entry?.start !== start) return undefined
    bucket.splice(index, 1)
    if (bucket.length === 0 && this.buckets.length > 1) this.buckets.splice(place, 1)
    return { size: entry.end - entry.start, value: entry.value }
  }

  private lastBefore(address: number): Entry<T> | undefined {
    // The first bucket that starts at or after the address has none; the one before it may end before the address.
    for (let place = this.bucketOf(address); place >= 0; place--) {
      const bucket = this.buckets[place]!
      let index = firstAfter(bucket, address) - 1
      if (bucket[index]?.start === address) index--
      if (index >= 0) return bucket[index]
    }
    return undefined
  }

  /** The last bucket that begins at or before an address, or the first one. */
  private bucketOf(address: number): number {
    let low = 0
    let high = this.buckets.length
    while (low + 1 < high) {
      const middle = (low + high) >>> 1
      if (this.buckets[middle]![0]!.start <= address) low = middle
      else high = middle
    }
    return low
  }
}

/** The index of the first entry that starts after an address. */
function firstAfter<T>(bucket: readonly Entry<T>[], address: number): number {
  let low = 0
  let high = bucket.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (bucket[middle]!.start <= address) low = middle + 1
    else high = middle
  }
  return low
}
