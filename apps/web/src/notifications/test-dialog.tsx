import type { ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { type Trial, TrialOutcome } from './trial-outcome.tsx'

interface Props {
  title: string
  /** The verb on the button. */
  action: string
  call: { data: Trial | undefined; error: Error | null; isPending: boolean }
  onSend: () => void
  onClose: () => void
  /** What is sent, and where to. */
  children: ReactNode
}

/** Sends one real message, and shows what came back. */
export function TestDialog({ title, action, call, onSend, onClose, children }: Props) {
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <p className="text-muted">{children}</p>
      <div aria-live="polite" className="flex flex-col gap-2">
        {call.error === null ? null : <ProblemNote error={call.error} />}
        {call.data === undefined ? null : <TrialOutcome outcome={call.data} />}
      </div>
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>Close</Button>
        <Button variant="primary" isDisabled={call.isPending} onPress={onSend}>
          {call.isPending ? 'Waiting for an answer…' : action}
        </Button>
      </div>
    </Dialog>
  )
}
