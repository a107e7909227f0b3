/** A label of an axis, with its middle from 0 at the left to 1 at the right. */
interface AxisLabel {
  at: number
  label: string
}

interface PlacedLabel extends AxisLabel {
  /** Where its left end is. */
  leftPx: number
}

/** About what a character takes in the smaller size of text. */
const characterPx = 8
const gapPx = 6

/** Those labels that fit below an axis of that width, none over another; the ones at the right go first. */
export function fittingLabels(labels: readonly AxisLabel[], widthPx: number): PlacedLabel[] {
  const placed: PlacedLabel[] = []
  let endPx = widthPx
  for (const { at, label } of labels.toReversed()) {
    const ownPx = label.length * characterPx
    const leftPx = Math.min(at * widthPx - ownPx / 2, widthPx - ownPx)
    if (leftPx + ownPx > endPx) continue
    placed.unshift({ at, label, leftPx })
    endPx = leftPx - gapPx
  }
  return placed
}
