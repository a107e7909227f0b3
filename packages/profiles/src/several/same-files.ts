import { pairsByEnds, type PathPair } from './path-ends.ts'

/**
 * Which file of `before` each of `after` is, or -1; paths have `/` between folders. What both have is the same file and no other.
 * The rest may have moved: as most of them did, because branches are checked out in different places, or else to where more of
 * the end of the path is the same than of any other file's. Of several that are equally like it, it is none.
 *
 * @param areOfOneProgram whether only all of a folder together may have moved: most of what only one side has was just not met
 */
export function sameFiles(
  before: readonly string[],
  after: readonly string[],
  areOfOneProgram = false,
): Int32Array {
  const places = new Map(before.map((path, index) => [path, index]))
  const kept = new Set(after.filter((path) => places.has(path)))
  const origins = movedFiles(before, after, kept, areOfOneProgram)
  return Int32Array.from(after, (path) => places.get(origins.get(path) ?? path) ?? -1)
}

/** Where files were that only after has. */
function movedFiles(
  before: readonly string[],
  after: readonly string[],
  kept: ReadonlySet<string>,
  areOfOneProgram: boolean,
): Map<string, string> {
  const gone = new Set(before.filter((path) => !kept.has(path)))
  const added = after.filter((path) => !kept.has(path))
  const isOnlyOne = namedOnce(before, after)
  const pairs = pairsByEnds(
    [...gone],
    added,
    ({ sharedNames, after: path }) => sharedNames > 1 || isOnlyOne(path),
  )
  const move = commonestMove(pairs)
  const origins = new Map<string, string>()
  if (move === undefined || (areOfOneProgram && !isOfWholeFolder(move, kept))) return origins
  for (const path of added) {
    const origin = move.from + path.slice(move.to.length)
    if (path.startsWith(move.to) && gone.delete(origin)) origins.set(path, origin)
  }
  if (areOfOneProgram) return origins
  for (const pair of pairs)
    if (!origins.has(pair.after) && gone.delete(pair.before)) origins.set(pair.after, pair.before)
  return origins
}

/** The name of a file without its folders. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Whether on each side no other file has the name of a file. */
function namedOnce(...sides: (readonly string[])[]): (path: string) => boolean {
  const counts = sides.map((paths) => {
    const count = new Map<string, number>()
    for (const name of paths.map(baseName)) count.set(name, (count.get(name) ?? 0) + 1)
    return count
  })
  return (path) => counts.every((count) => count.get(baseName(path)) === 1)
}

interface Move {
  from: string
  to: string
}

/** The folder that most of the pairs have in place of another one. */
function commonestMove(pairs: readonly PathPair[]): Move | undefined {
  const moves = new Map<string, Move & { count: number }>()
  for (const pair of pairs) {
    const from = folderOf(pair.before, pair.sharedNames)
    const to = folderOf(pair.after, pair.sharedNames)
    const key = `${from}\0${to}`
    const move = moves.get(key) ?? { from, to, count: 0 }
    moves.set(key, move)
    move.count++
  }
  return [...moves.values()].toSorted((a, b) => b.count - a.count)[0]
}

/** Whether nothing stayed in the folders, nor in what they are in, if that is more than the root of all. */
function isOfWholeFolder({ from, to }: Move, kept: ReadonlySet<string>): boolean {
  const around = [from, to].map((folder) => {
    const outer = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1)
    return outer === '' || outer === '/' ? folder : outer
  })
  return ![...kept].some((path) => around.some((folder) => path.startsWith(folder)))
}

/** A path without so many names at its end. */
function folderOf(path: string, names: number): string {
  const end = path.split('/').slice(-names).join('/')
  return path.slice(0, path.length - end.length)
}
