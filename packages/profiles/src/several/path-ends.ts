/** What is further out tells nothing more, where several paths are alike up to there; a path may have any number of folders. */
const maxNames = 32

/** Two paths that end alike. */
export interface PathPair {
  before: string
  after: string
  /** How many names at their ends are the same, that of the file among them. */
  sharedNames: number
}

/** Pairs of paths that share more names at their ends with each other than with any other, where they may be a pair. */
export function pairsByEnds(
  before: readonly string[],
  after: readonly string[],
  mayBePair: (pair: PathPair) => boolean,
): PathPair[] {
  const pairs: PathPair[] = []
  const all = { before: before.map(wholePath), after: after.map(wholePath) }
  pairAlike(all, 0, (one, other) => {
    const pair = { before: one.path, after: other.path, sharedNames: sharedNamesOf(one, other) }
    const isPair = pair.sharedNames > 0 && mayBePair(pair)
    if (isPair) pairs.push(pair)
    return isPair
  })
  return pairs
}

/** A path, and where what was not looked at yet ends in it; -1 when that is nothing. */
interface Ending {
  path: string
  end: number
}

interface Endings {
  before: readonly Ending[]
  after: readonly Ending[]
}

type Take = (before: Ending, after: Ending) => boolean

function wholePath(path: string): Ending {
  return { path, end: path.length }
}

/** Tells of pairs among paths that share so many names; gives those that are left. */
function pairAlike(alike: Endings, names: number, take: Take): Endings {
  const rest = isOneEach(alike) || names === maxNames ? alike : pairByNextName(alike, names, take)
  if (isOneEach(rest) && take(rest.before[0]!, rest.after[0]!)) return { before: [], after: [] }
  // Two are as good as any number: neither will be a pair.
  return { before: rest.before.slice(0, 2), after: rest.after.slice(0, 2) }
}

function pairByNextName({ before, after }: Endings, names: number, take: Take): Endings {
  const [beforeByName, afterByName] = [Map.groupBy(before, nextName), Map.groupBy(after, nextName)]
  const rests = [...new Set([...beforeByName.keys(), ...afterByName.keys()])].map((name): Endings => {
    const alike = { before: beforeByName.get(name) ?? [], after: afterByName.get(name) ?? [] }
    if (name === undefined || alike.before.length === 0 || alike.after.length === 0) return alike
    const further = { before: alike.before.map(furtherOut), after: alike.after.map(furtherOut) }
    return pairAlike(further, names + 1, take)
  })
  return { before: rests.flatMap((rest) => rest.before), after: rests.flatMap((rest) => rest.after) }
}

function isOneEach({ before, after }: Endings): boolean {
  return before.length === 1 && after.length === 1
}

/** The last name that was not looked at yet. */
function nextName({ path, end }: Ending): string | undefined {
  return end < 0 ? undefined : path.slice(nameStart(path, end), end)
}

function furtherOut({ path, end }: Ending): Ending {
  return { path, end: nameStart(path, end) - 1 }
}

function nameStart(path: string, end: number): number {
  return end === 0 ? 0 : path.lastIndexOf('/', end - 1) + 1
}

function sharedNamesOf(one: Ending, other: Ending): number {
  let [a, b] = [wholePath(one.path), wholePath(other.path)]
  let count = 0
  for (; a.end >= 0 && nextName(a) === nextName(b); count++) [a, b] = [furtherOut(a), furtherOut(b)]
  return count
}
