import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ProblemNote } from './problem-note.tsx'

interface Props {
  title: string
  /** What will happen. */
  children: ReactNode
  /** The verb on the button. */
  action: string
  isOpen: boolean
  isPending: boolean
  error: Error | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is taken away, and shows why it could not be. */
export function ConfirmDialog({
  title,
  children,
  action,
  isOpen,
  isPending,
  error,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Dialog title={title} role="alertdialog" isOpen={isOpen} onClose={onClose}>
      <div className="text-muted">{children}</div>
      {error === null ? null : <ProblemNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="danger" isDisabled={isPending} onPress={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
