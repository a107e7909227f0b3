export interface DiffLine {
  /** `-` recorded, `+` replayed, space in both, `…` lines that are left out. */
  sign: '-' | '+' | ' ' | '…'
  words: string
  /** Of the line in the text, from 0. */
  at: number
}

/** Equal lines that are shown around a difference. */
const around = 3

/** The lines of a difference; of equal ones only those next to what differs. */
export function foldSame(lines: readonly string[]): DiffLine[] {
  const isNear = new Uint8Array(lines.length)
  lines.forEach((line, at) => {
    if (signOf(line) !== ' ') isNear.fill(1, Math.max(0, at - around), at + around + 1)
  })
  const shown: DiffLine[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    if (isNear[at] === 1) {
      shown.push({ sign: signOf(line), words: line.slice(1), at })
      at++
      continue
    }
    const next = isNear.indexOf(1, at)
    const end = next === -1 ? lines.length : next
    shown.push({ sign: '…', words: end - at === 1 ? '1 equal line' : `${end - at} equal lines`, at })
    at = end
  }
  return shown
}

function signOf(line: string): '-' | '+' | ' ' {
  return line.startsWith('-') ? '-' : line.startsWith('+') ? '+' : ' '
}
