/** A line of a diff: in both texts, only in the first, or only in the second. */
export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** More differences than this between the texts, and their different middles are told as a whole. */
const distanceMax = 1000

/**
 * What to change in one text, line by line, to get the other: the shortest way, as Myers finds it
 * (https://doi.org/10.1007/BF01840446). Time and memory are bounded: where the texts differ by more than 1000 lines, all
 * between their common beginning and end is removed and added.
 */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split(/\r?\n/)
  const b = after.split(/\r?\n/)
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let tail = 0
  while (tail < a.length - start && tail < b.length - start && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  const middleA = a.slice(start, a.length - tail)
  const middleB = b.slice(start, b.length - tail)
  return [
    ...lines('same', a.slice(0, start)),
    ...(shortest(middleA, middleB) ?? [...lines('removed', middleA), ...lines('added', middleB)]),
    ...lines('same', a.slice(a.length - tail)),
  ]
}

const lines = (kind: DiffLine['kind'], texts: string[]): DiffLine[] => texts.map((text) => ({ kind, text }))

/** Undefined where it takes more than `distanceMax` changes. */
function shortest(a: string[], b: string[]): DiffLine[] | undefined {
  // furthest[k + offset]: how far in `a` one can come on diagonal k (x - y) with as many changes as there were rounds.
  const offset = Math.min(distanceMax, a.length + b.length) + 1
  const furthest = new Int32Array(2 * offset + 1)
  const rounds: Int32Array[] = []
  for (let changes = 0; changes < offset; changes++) {
    rounds.push(furthest.slice(offset - changes - 1, offset + changes + 2))
    for (let k = -changes; k <= changes; k += 2) {
      let x = step(furthest, offset, k, changes)
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      furthest[offset + k] = x
      if (x >= a.length && x - k >= b.length) return trace(a, b, rounds)
    }
  }
  return undefined
}

/** Where a change leads to on diagonal k: a removed line from the diagonal below, or an added one from that above. */
function step(furthest: Int32Array, offset: number, k: number, changes: number): number {
  const below = furthest[offset + k - 1] ?? 0
  const above = furthest[offset + k + 1] ?? 0
  if (k === -changes || (k !== changes && below < above)) return above
  return below + 1
}

/** The way back from the end, a round at a time. */
function trace(a: string[], b: string[], rounds: Int32Array[]): DiffLine[] {
  const back: DiffLine[] = []
  let x = a.length
  let y = b.length
  for (let changes = rounds.length - 1; changes > 0; changes--) {
    const furthest = rounds[changes] ?? new Int32Array()
    const k = x - y
    const offset = changes + 1
    const below = furthest[offset + k - 1] ?? 0
    const above = furthest[offset + k + 1] ?? 0
    const isAdded = k === -changes || (k !== changes && below < above)
    const fromX = isAdded ? above : below
    const fromY = fromX - (isAdded ? k + 1 : k - 1)
    while (x > fromX && y > fromY && (isAdded ? x > fromX : x > fromX + 1)) {
      back.push({ kind: 'same', text: a[--x] ?? '' })
      y--
    }
    back.push(isAdded ? { kind: 'added', text: b[--y] ?? '' } : { kind: 'removed', text: a[--x] ?? '' })
  }
  while (x > 0) back.push({ kind: 'same', text: a[--x] ?? '' })
  return back.toReversed()
}
