import { commonScale, scaledDown, writeColumnFile } from '../column-file.ts'
import { sampleTypeOf, type Profile } from '../profile.ts'
import { callTreeOf, wholeCallTree, type CallTree } from '../questions/call-tree.ts'
import { callerTree, noteOnCut, type CallerTree } from '../questions/caller-tree.ts'
import { originsOf } from '../questions/function-origin.ts'

const magic = 'FGFC'

interface FlameColumnsOptions {
  /** The default sample type when absent. */
  sampleTypeIndex?: number | undefined
  /** Only what is below this function. */
  rootFunctionName?: string | undefined
  /** Callers below callees. */
  inverted?: boolean | undefined
}

/**
 * A whole call tree of one sample type, for a page that draws it: a column file, of which the head says `sampleType`,
 * `unit`, `scale`, `nodeCount`, the `names` of functions, what `files` and `origins` there are, and a `note` on an inverted tree
 * that does not show all, or null.
 *
 *     per function  file index i32, origin index i32
 *     per node      distance to the parent i32, function index i32 (-1: none), self (value)
 *
 * Nodes are in depth-first order; without a root function and not inverted, they have the numbers that they have in the
 * profile. What calls have in all is the sum of what is below them, so it is not written.
 *
 * Throws FunctionNotFoundError for an unknown root, RangeError for an unknown sample type.
 */
export function flameColumns(profile: Profile, options: FlameColumnsOptions): Uint8Array {
  const { sampleTypeIndex, rootFunctionName, inverted = false } = options
  const { type: sampleType, unit } = sampleTypeOf(profile, sampleTypeIndex)
  const calleeTree =
    rootFunctionName === undefined
      ? wholeCallTree(profile, sampleTypeIndex)
      : callTreeOf(profile, rootFunctionName, sampleTypeIndex)
  const tree: CallTree & Partial<CallerTree> = inverted ? callerTree(calleeTree, calleeTree.self) : calleeTree
  const { names, files } = profile.functions
  const [fileNames, fileIndexes] = distinct(files)
  const [origins, originIndexes] = distinct(originsOf(profile.functions))
  const scale = commonScale(tree.self)
  const nodeCount = tree.parents.length
  const head = {
    sampleType,
    unit,
    scale,
    nodeCount,
    note: noteOnCut(tree, unit),
    names,
    files: fileNames,
    origins,
  }
  return writeColumnFile(magic, head, [
    fileIndexes,
    originIndexes,
    tree.parents.map((parent, node) => node - parent),
    tree.functionIndexes,
    scaledDown(tree.self, scale),
  ])
}

function distinct(texts: readonly string[]): [values: string[], indexes: Int32Array] {
  const indexOf = new Map<string, number>()
  const indexes = Int32Array.from(texts, (text) => {
    const known = indexOf.get(text)
    if (known !== undefined) return known
    indexOf.set(text, indexOf.size)
    return indexOf.size - 1
  })
  return [[...indexOf.keys()], indexes]
}
