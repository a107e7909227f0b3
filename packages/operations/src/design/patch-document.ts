import { Problem } from '@flamegate/contract'
import { applyPatch, parsePatch, PatchError } from '@flamegate/loadtest'

type Patch = readonly Record<string, unknown>[]

/**
 * A document after a JSON patch, not yet valid by any schema.
 * @throws Problem `invalid_input` that names the operation
 */
export function patchDocument(document: unknown, patch: Patch): unknown {
  try {
    return applyPatch(document, parsePatch(patch)).document
  } catch (error) {
    if (!(error instanceof PatchError)) throw error
    throw new Problem('invalid_input', error.message, {
      cause: error,
      errors: [{ field: `patch.${error.index}`, message: error.message }],
    })
  }
}

/** What a version says that it changed, at most. */
const wordsMax = 200

/** What a version says of the patch that made it. @throws Problem `invalid_input` when it changes nothing */
export function patchWords(
  patch: Patch,
  restoredVersion: number | undefined,
  more: readonly string[] = [],
): string {
  const words = [
    ...(restoredVersion === undefined ? [] : [`Back to version ${restoredVersion}`]),
    ...more,
    ...patch.map(({ op, path }) => `${String(op)} ${String(path)}`),
  ]
  if (words.length === 0)
    throw new Problem('invalid_input', 'Say what is to be changed: with patch, or restore_version.')
  const text = words.join(', ')
  return text.length > wordsMax ? `${text.slice(0, wordsMax - 1)}…` : text
}
