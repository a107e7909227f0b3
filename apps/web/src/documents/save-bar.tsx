import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { TextField } from '../components/text-field.tsx'
import { counted } from './counted.ts'
import type { DocumentDraft } from './use-document-draft.ts'

/** What is not saved yet, at the lower edge of the window for as long as there is something that can be saved. */
export function SaveBar({ edited }: { edited: DocumentDraft }) {
  return edited.isDirty && !edited.isStale ? <UnsavedChanges edited={edited} /> : null
}

function UnsavedChanges({ edited }: { edited: DocumentDraft }) {
  const { draft, isSaving, error, save, discard } = edited
  const [label, setLabel] = useState('')
  return (
    <form
      aria-label="Unsaved changes"
      onSubmit={(event) => {
        event.preventDefault()
        save(label.trim())
      }}
      className="animate-overlay sticky bottom-3 z-20 flex flex-col gap-3 rounded-lg border border-line bg-surface p-3 shadow-floating"
    >
      {error === null ? null : <ProblemNote error={error} isBrief />}
      {/* What is pressed stands left: what is said in passing appears on the right. */}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" isDisabled={isSaving}>
          {isSaving ? 'Saving…' : 'Save'}
        </Button>
        <TextField
          label="Name of the version"
          placeholder="Name of the version (optional)"
          className="w-60 [&_label]:sr-only"
          maxLength={80}
          value={label}
          onChange={setLabel}
        />
        <Button onPress={discard} isDisabled={isSaving}>
          Discard
        </Button>
        <output className="ml-1 min-w-0">
          <span className="font-medium">{counted(draft.done.length, 'unsaved change')}</span>
          <span className="ml-2 text-sm text-muted max-sm:hidden">{draft.done.at(-1)?.words}</span>
        </output>
      </div>
    </form>
  )
}
