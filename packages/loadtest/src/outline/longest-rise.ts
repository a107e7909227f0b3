/** Indices of a longest part of the numbers that only rises, in n log n steps; the numbers differ from one another. */
export function longestRise(numbers: readonly number[]): Set<number> {
  // The index of the smallest number that ends a rise of each length, and for each index the one before it in its rise.
  const ends: number[] = []
  const before: (number | undefined)[] = []
  for (const [index, number] of numbers.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (numbers[ends[middle] ?? 0]! < number) low = middle + 1
      else high = middle
    }
    before[index] = ends[low - 1]
    ends[low] = index
  }
  const rise = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = before[index]) rise.add(index)
  return rise
}
