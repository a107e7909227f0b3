import type { AnswerOf, operations } from '@flamegate/contract'

type RetainedObject = AnswerOf<typeof operations.getHeapRetainers>['objects'][number]
export type RetainingPath = RetainedObject['paths'][number]
type Step = RetainingPath['steps'][number]

/** An object that keeps another alive by a reference: a node of the tree of what keeps an object. */
export interface Holder {
  /** The references from the object outwards to here: the same whenever the tree is built again. */
  key: string
  step: Step
  /** It is kept by the engine itself. */
  isRoot: boolean
  /** What keeps it in turn, the nearest to a root first; undefined where nobody has looked. */
  holders: Holder[] | undefined
}

/** What the page has of a tree: the ways to objects, by their ids, and the keys of the holders that are open. */
interface Known {
  pathsOf: ReadonlyMap<number, readonly RetainingPath[]>
  openKeys: ReadonlySet<string>
}

/** Steps of a way that are behind what is left out of it. */
const outerSteps = 5

/**
 * The tree of what keeps an object, from the ways to it. Of a holder that is open, what keeps it is known from the way that
 * leads through it, and all of it as soon as its own ways are there.
 */
export function holderTree(paths: readonly RetainingPath[], known: Known, above = ''): Holder[] {
  return paths.flatMap((path) => {
    const [step] = path.steps
    if (step === undefined) return []
    const key = `${above}/${referenceKey(step)}`
    const ways = waysOn(path, known.pathsOf.get(step.object_id))
    const isShown = known.openKeys.has(key) || ways?.length === 0
    return [
      {
        key,
        step,
        isRoot: path.steps.length === 1,
        holders: ways !== undefined && isShown ? holderTree(ways, known, key) : undefined,
      },
    ]
  })
}

/** The keys that are open so that a way is seen from the object to its root. */
export function keysOfWay({ steps, omitted_steps: omitted }: RetainingPath): string[] {
  const shown = omitted === 0 ? steps : steps.slice(0, -outerSteps)
  const keys: string[] = []
  for (const step of shown) keys.push(`${keys.at(-1) ?? ''}/${referenceKey(step)}`)
  return keys.slice(0, -1)
}

/** The object that a key ends at. */
export function objectOfKey(key: string): number {
  return Number(key.slice(key.lastIndexOf('@') + 1))
}

function referenceKey({ edge_type: type, edge_name: name, object_id: id }: Step): string {
  return `${type} ${name}@${id}`
}

/** The ways from the first holder of a way onwards, that very way among them. */
function waysOn(
  { steps, omitted_steps: omitted }: RetainingPath,
  own: readonly RetainingPath[] | undefined,
): readonly RetainingPath[] | undefined {
  const isGap = omitted > 0 && steps.length - 1 === outerSteps
  const next = isGap ? undefined : steps[1]
  if (next === undefined) return own
  const isAmong = own?.some(
    ({ steps: [first] }) => first !== undefined && referenceKey(first) === referenceKey(next),
  )
  const rest = { steps: steps.slice(1), omitted_steps: omitted }
  return isAmong === true ? own : [rest, ...(own ?? [])]
}
