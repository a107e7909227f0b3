import { isObject, type JsonObject } from './json.ts'
import { applyPatch, type Operation, PatchMisfit } from './json-patch.ts'
import { translated } from './translate-patch.ts'

/** One change that can be undone. */
export interface Step {
  /** What it did. */
  words: string
  patch: readonly Operation[]
  inverse: readonly Operation[]
}

/** A document with changes that are not saved. */
export interface Draft {
  /** As it is saved. */
  base: JsonObject
  version: number
  /** With the changes. */
  document: JsonObject
  done: readonly Step[]
  /** Undone last is last. */
  undone: readonly Step[]
}

export function startDraft(base: JsonObject, version: number): Draft {
  return { base, version, document: base, done: [], undone: [] }
}

/** Changes a draft; typing on in one field is one step. An empty patch leaves it as it is. */
export function changed(draft: Draft, words: string, patch: readonly Operation[]): Draft {
  if (patch.length === 0) return draft
  const { document, inverse } = applyPatch(draft.document, patch)
  if (!isObject(document)) return draft
  const last = draft.done.at(-1)
  const done =
    last !== undefined && goesOn(last, patch)
      ? [...draft.done.slice(0, -1), { ...last, patch: withValueOf(last.patch, patch) }]
      : [...draft.done, { words, patch, inverse }]
  return { ...draft, document, done, undone: [] }
}

/** Whether a patch only says anew what the last one said: one is a step when it is the same field. */
function goesOn(last: Step, patch: readonly Operation[]): boolean {
  const [one, ...more] = patch
  const [before, ...others] = last.patch
  if (one?.op !== 'replace' || before?.path !== one.path || more.length + others.length > 0) return false
  // A field that was not there is begun by adding it; an action that was added is another step.
  return before.op === 'replace' || (before.op === 'add' && typeof before.value !== 'object')
}

function withValueOf(patch: readonly Operation[], [later]: readonly Operation[]): readonly Operation[] {
  if (later?.op !== 'replace') return patch
  return patch.map((operation) => ('value' in operation ? { ...operation, value: later.value } : operation))
}

export function undone(draft: Draft): Draft {
  const step = draft.done.at(-1)
  if (step === undefined) return draft
  const { document } = applyPatch(draft.document, step.inverse)
  if (!isObject(document)) return draft
  return { ...draft, document, done: draft.done.slice(0, -1), undone: [...draft.undone, step] }
}

export function redone(draft: Draft): Draft {
  const step = draft.undone.at(-1)
  if (step === undefined) return draft
  const { document } = applyPatch(draft.document, step.patch)
  if (!isObject(document)) return draft
  return { ...draft, document, done: [...draft.done, step], undone: draft.undone.slice(0, -1) }
}

/** Operations that one patch may have. */
const patchMax = 1000

/** All changes, as they are saved. */
export function patchOf(draft: Draft): Operation[] {
  const patch = draft.done.flatMap((step) => step.patch)
  return patch.length <= patchMax ? patch : [{ op: 'replace', path: '', value: draft.document }]
}

/**
 * The same changes on top of a newer version: their places are found by the ids of what they are about.
 * @returns the words of those that fit no longer, too
 */
export function rebased(draft: Draft, base: JsonObject, version: number): { draft: Draft; lost: string[] } {
  let result = startDraft(base, version)
  let before: unknown = draft.base
  const lost: string[] = []
  for (const { words, patch } of draft.done) {
    const moved = tryTranslated(before, result.document, patch)
    before = applyPatch(before, patch).document
    if (moved === undefined) lost.push(words)
    else result = changed(result, words, moved)
  }
  return { draft: result, lost }
}

function tryTranslated(
  before: unknown,
  document: unknown,
  patch: readonly Operation[],
): readonly Operation[] | undefined {
  try {
    return translated(before, document, patch)
  } catch (error) {
    if (error instanceof PatchMisfit) return undefined
    throw error
  }
}
