import type { AnyOperation } from '@flamegate/client'
import { ApiProblem } from '@flamegate/client'
import type { AnswerOf, Operation, RawInputOf } from '@flamegate/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useCall } from '../api.ts'
import { say } from '../components/toasts.tsx'
import { documentFaults } from './document-faults.ts'
import { changed, type Draft, patchOf, rebased, redone, startDraft, undone } from './draft.ts'
import type { Change } from './editing.ts'
import { type Operation as PatchOperation, PatchMisfit } from './json-patch.ts'
import type { JsonObject } from './json.ts'

/** What saving takes beside whose document it is. */
interface Saving {
  patch: PatchOperation[]
  if_version: number
  label?: string
}

interface Options<O extends AnyOperation> {
  /** As it is saved by now. */
  saved: { document: JsonObject; version: number }
  mayChange: boolean
  /** Saves a patch. */
  operation: O
  inputOf: (saving: Saving) => RawInputOf<O>
  /** The version that came of saving. */
  versionOf: (answer: AnswerOf<O>) => number
  /** Gives the document: asked again when somebody else saved it first. */
  source: Pick<Operation, 'id'>
  /** What else saving changes. */
  outdates: readonly Pick<Operation, 'id'>[]
}

/** A document while it is changed, and how that is saved. */
export interface DocumentDraft {
  draft: Draft
  isDirty: boolean
  /** The version that was saved last, also by somebody else. */
  newest: number
  /** Somebody else saved another version since the changes were begun. */
  isStale: boolean
  isSaving: boolean
  /** What saving was refused for, by JSON pointer. */
  faults: Readonly<Record<string, string>>
  isRefusedForPlaces: boolean
  /** Another one with each time that it was tried. */
  attempt: number
  /** Why saving was refused, where that is not about places in the document. */
  error: Error | null
  /** The same as long as changes are possible, or not: who holds it is not drawn again with each of them. */
  change: (words: string, patch: Change) => void
  /** What was said of places is no longer true, since they have moved. */
  forgetFaults: () => void
  undo: () => void
  redo: () => void
  /** The empty label is none. */
  save: (label: string) => void
  discard: () => void
  /** Goes on with the newest version: with what fits of the changes, or without them. */
  applyToNewest: () => void
  discardForNewest: () => void
}

/** Changes to a saved document: done, undone, saved, and set against what others saved meanwhile. */
export function useDocumentDraft<O extends AnyOperation>(options: Options<O>): DocumentDraft {
  const { saved, mayChange, operation, inputOf, versionOf, source, outdates } = options
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => startDraft(saved.document, saved.version))
  const isDirty = draft.done.length > 0
  if (!isDirty && saved.version >= draft.version && saved.document !== draft.base)
    setDraft(startDraft(saved.document, saved.version))
  const saving = useCall(operation, [source, ...outdates])
  const faults = useMemo(() => documentFaults(saving.error), [saving.error])
  const isRefusedForPlaces = Object.keys(faults).length > 0
  const { reset, isPending } = saving
  const canChange = mayChange && !isPending
  const change = useCallback(
    (words: string, patch: Change) => {
      if (!canChange) return
      // What was said of places is true of the document that was sent. Fields change nothing of where things stand.
      if (typeof patch !== 'function' && patch.some(({ op }) => op !== 'replace')) reset()
      setDraft((before) => tryChanged(before, words, patch))
    },
    [canChange, reset],
  )
  const step = (move: (before: Draft) => Draft) => () => {
    reset()
    setDraft(move)
  }
  return {
    draft,
    isDirty,
    newest: saved.version,
    // While it is saved, the version that comes of it is seen before that it is saved.
    isStale: isDirty && !isPending && saved.version > draft.version,
    isSaving: isPending,
    faults,
    isRefusedForPlaces,
    attempt: saving.submittedAt,
    error: isRefusedForPlaces ? null : saving.error,
    change,
    forgetFaults: reset,
    undo: step(undone),
    redo: step(redone),
    save: (label) =>
      saving.mutate(
        inputOf({ patch: patchOf(draft), if_version: draft.version, ...(label === '' ? {} : { label }) }),
        {
          onSuccess: (answer) => {
            const version = versionOf(answer)
            setDraft(startDraft(draft.document, version))
            say(`Version ${version} is saved.`)
          },
          onError: (error) => {
            // Somebody was first: the newer version is asked for, and shown.
            if (error instanceof ApiProblem && error.code === 'version_mismatch')
              void queries.invalidateQueries({ queryKey: [source.id] })
          },
        },
      ),
    discard: step((before) => startDraft(before.base, before.version)),
    applyToNewest: () => {
      const result = rebased(draft, saved.document, saved.version)
      reset()
      setDraft(result.draft)
      if (result.lost.length > 0) say(`Fits no longer, and is left out: ${result.lost.join(', ')}.`)
    },
    discardForNewest: step(() => startDraft(saved.document, saved.version)),
  }
}

function tryChanged(before: Draft, words: string, patch: Change): Draft {
  try {
    return changed(before, words, typeof patch === 'function' ? patch(before.document) : patch)
  } catch (error) {
    // What the patch was made for is gone since, for instance undone.
    if (error instanceof PatchMisfit) return before
    throw error
  }
}
