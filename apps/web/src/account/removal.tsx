import { type ReactNode, useState } from 'react'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { say } from '../components/toasts.tsx'
import { NotProved } from './proof.tsx'
import { useChange } from './use-change.ts'

interface Props {
  /** Accessible name of the button. */
  label: string
  /** The question. */
  title: string
  /** The verb on both buttons. */
  action: string
  change: () => Promise<unknown>
  /** What to say when it is done. */
  done: string
  /** What will happen. */
  children: ReactNode
}

/** A button that takes something away from the account, after a question. */
export function Removal({ label, title, action, change, done, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const call = useChange(change)
  return (
    <>
      <Button variant="quiet" aria-label={label} onPress={() => setOpen(true)}>
        {action}
      </Button>
      <ConfirmDialog
        title={title}
        action={action}
        isOpen={isOpen}
        isPending={call.isPending}
        error={call.error instanceof NotProved ? null : call.error}
        onClose={() => setOpen(false)}
        onConfirm={() =>
          call.mutate(undefined, {
            onSuccess: () => {
              setOpen(false)
              say(done)
            },
          })
        }
      >
        {children}
      </ConfirmDialog>
    </>
  )
}
