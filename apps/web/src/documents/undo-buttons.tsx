import { IconButton } from '../components/button.tsx'
import { RedoIcon, UndoIcon } from '../components/icons.tsx'
import type { DocumentDraft } from './use-document-draft.ts'

/** Undo and redo, each named by what it would do. */
export function UndoButtons({ edited: { draft, undo, redo } }: { edited: DocumentDraft }) {
  const undoes = draft.done.at(-1)?.words
  const redoes = draft.undone.at(-1)?.words
  return (
    <span className="flex gap-1">
      <IconButton
        label={undoes === undefined ? 'Undo' : `Undo: ${undoes}`}
        isDisabled={undoes === undefined}
        onPress={undo}
      >
        <UndoIcon />
      </IconButton>
      <IconButton
        label={redoes === undefined ? 'Redo' : `Redo: ${redoes}`}
        isDisabled={redoes === undefined}
        onPress={redo}
      >
        <RedoIcon />
      </IconButton>
    </span>
  )
}
