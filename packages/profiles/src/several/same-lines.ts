import { Landmarks } from './landmarks.ts'
import { sum } from './sum.ts'

/** A function, by where it is among those of before and of after. */
export interface FunctionPair {
  before: number
  after: number
}

/** Functions of one name in one file. */
export interface Namesakes {
  /** At one line, the first counts. */
  before: readonly number[]
  after: readonly number[]
}

/** Of all functions, by where they are. */
interface StartLines {
  before: ArrayLike<number>
  after: ArrayLike<number>
}

/**
 * Which functions of a file are the same among those that have a name in common, as unnamed ones do. A function moves with those
 * before or after it in the file. What remains between two others is in the same order, unless these are as far from each other
 * as they were: then one is gone, and another one is there now.
 *
 * @param certain functions of the file that are known to be the same
 * @param mayMoveUnseen whether the others may have moved where none of these has
 */
export function sameByLine(
  namesakes: readonly Namesakes[],
  certain: readonly FunctionPair[],
  lines: StartLines,
  mayMoveUnseen = true,
): FunctionPair[] {
  const hasMoved =
    mayMoveUnseen || certain.some((pair) => lines.before[pair.before] !== lines.after[pair.after])
  // The last one before may be the last one still.
  const endMove = hasMoved ? lastLine(namesakes, 'after', lines) - lastLine(namesakes, 'before', lines) : 0
  const open = namesakes.map((group) => new Map(group.after.map((after) => [lines.after[after]!, after])))
  const moved = movedWithOthers(namesakes, open, landmarksOf(certain, lines), lines, endMove)
  if (!hasMoved) return moved
  const isFound = new Set(moved.map(({ before }) => before))
  const landmarks = landmarksOf([...certain, ...moved], lines)
  const ordered = namesakes.flatMap((group, index) => {
    const before = group.before.filter((each) => !isFound.has(each))
    return inOrder({ before, after: [...open[index]!.values()] }, landmarks, lines)
  })
  return [...moved, ...ordered]
}

function landmarksOf(pairs: readonly FunctionPair[], lines: StartLines): Landmarks {
  return new Landmarks(
    pairs.map(({ before, after }) => ({ before: lines.before[before]!, after: lines.after[after]! })),
  )
}

/**
 * Those that moved as far as the last landmark before them, or the next one after them. Code was changed somewhere between the
 * two: it is taken to be where most are found then.
 *
 * @param open the functions of after of each group by line; those that are found are taken from it
 * @param endMove how far those beyond the last landmark may have moved in place of as far as that
 */
function movedWithOthers(
  namesakes: readonly Namesakes[],
  open: readonly Map<number, number>[],
  landmarks: Landmarks,
  lines: StartLines,
  endMove: number,
): FunctionPair[] {
  const functions = namesakes
    .flatMap(({ before }, group) =>
      before.map((each) => ({ before: each, group, line: lines.before[each]! })),
    )
    .toSorted((a, b) => a.line - b.line)
  const between = Map.groupBy(functions, ({ line }) => landmarks.lastBefore(line))
  return [...between].flatMap(([last, here]) => {
    const [early, next] = [landmarks.move(last)!, landmarks.move(last + 1)]
    const late = next ?? endMove
    const foundAt = (move: number) => here.map(({ group, line }) => Number(open[group]!.has(line + move)))
    const [foundEarly, foundLate] = [foundAt(early), foundAt(late)]
    let turn = bestTurn(foundEarly, foundLate)
    // At the end, one pair was only supposed, and functions at equal distances are found by chance.
    if (next === undefined && sum(foundLate.slice(turn)) <= 1 + 2 * sum(foundEarly.slice(turn)))
      turn = here.length
    return here.flatMap(({ before, group, line }, index) => {
      const lineAfter = line + (index < turn ? early : late)
      const after = open[group]!.get(lineAfter)
      open[group]!.delete(lineAfter)
      return after === undefined ? [] : [{ before, after }]
    })
  })
}

function lastLine(namesakes: readonly Namesakes[], side: 'before' | 'after', lines: StartLines): number {
  return namesakes
    .flatMap((group) => group[side])
    .reduce((last, index) => Math.max(last, lines[side][index]!), 0)
}

/** From where on `late` counts and not `early`, so that it is most in all; the last of such places. */
function bestTurn(early: readonly number[], late: readonly number[]): number {
  let found = sum(late)
  let best = { turn: 0, found }
  for (const [index, foundEarly] of early.entries()) {
    found += foundEarly - late[index]!
    if (found >= best.found) best = { turn: index + 1, found }
  }
  return best.turn
}

/** Namesakes between the same landmarks, one after the other. */
function inOrder(group: Namesakes, landmarks: Landmarks, lines: StartLines): FunctionPair[] {
  const byLine = (side: 'before' | 'after') =>
    group[side].toSorted((a, b) => lines[side][a]! - lines[side][b]!)
  // The first one last, to be taken from the end.
  const waiting = Map.groupBy(byLine('after').toReversed(), (after) =>
    landmarks.lastAfter(lines.after[after]!),
  )
  return byLine('before').flatMap((before) => {
    const last = landmarks.lastBefore(lines.before[before]!)
    const hasMoved = landmarks.move(last) !== landmarks.move(last + 1)
    const after = hasMoved ? waiting.get(last)?.pop() : undefined
    return after === undefined ? [] : [{ before, after }]
  })
}
