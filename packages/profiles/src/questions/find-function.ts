import type { Profile } from '../profile.ts'

/** No function of that name, or several that it could mean: `nearestNames` has up to 5 names to choose from. */
export class FunctionNotFoundError extends Error {
  override readonly name = 'FunctionNotFoundError'
  readonly functionName: string
  readonly nearestNames: string[]

  constructor(functionName: string, nearestNames: string[], message: string) {
    super(message)
    this.functionName = functionName
    this.nearestNames = nearestNames
  }
}

/**
 * The indexes of the functions that a name means: those of exactly that name (there may be several files), else
 * those of the only name that contains it, whatever the case. Throws FunctionNotFoundError otherwise.
 */
export function findFunction(profile: Profile, functionName: string): number[] {
  const { names } = profile.functions
  const indexesOf = (name: string) => names.flatMap((candidate, index) => (candidate === name ? [index] : []))
  const exact = indexesOf(functionName)
  if (exact.length > 0) return exact

  const wanted = functionName.toLowerCase()
  const containing =
    wanted === '' ? [] : [...new Set(names.filter((name) => name.toLowerCase().includes(wanted)))]
  if (containing.length === 1) return indexesOf(containing[0]!)
  if (containing.length > 1) {
    const message = `${containing.length} functions have "${clip(functionName)}" in their name`
    // The shortest ones are nearest: least was left out.
    throw new FunctionNotFoundError(
      functionName,
      containing.toSorted((a, b) => a.length - b.length).slice(0, 5),
      message,
    )
  }
  const message = `No function is called "${clip(functionName)}"`
  throw new FunctionNotFoundError(functionName, namesLike(wanted, names), message)
}

/** The names with most pairs of neighbouring letters in common (Dice's coefficient). */
function namesLike(wanted: string, names: readonly string[]): string[] {
  const wantedPairs = letterPairs(wanted)
  const scored = [...new Set(names)].map((name) => {
    const pairs = letterPairs(name.toLowerCase())
    let common = 0
    for (const pair of pairs) if (wantedPairs.has(pair)) common++
    return { name, score: (2 * common) / (pairs.size + wantedPairs.size || 1) }
  })
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.name.length - b.name.length)
    .slice(0, 5)
    .map(({ name }) => name)
}

/** The ends of very long names say enough. */
function letterPairs(name: string): Set<string> {
  const text = name.slice(-200)
  return new Set(
    Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)),
  )
}

function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text
}
