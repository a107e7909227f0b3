import type { AnyOperation } from '@flamegate/client'
import type { AnswerOf, Operation, RawInputOf } from '@flamegate/contract'
import type { ReactNode } from 'react'
import { useCall } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'

interface Props<O extends AnyOperation> {
  operation: O
  input: RawInputOf<O>
  outdates: readonly Pick<Operation, 'id'>[]
  name: string
  onDeleted: (answer: AnswerOf<O>) => void
  onClose: () => void
  /** What happens then. */
  children: ReactNode
}

/** Asks before something of a project is deleted, and shows why it could not be, such as who uses it. */
export function DeleteDesign<O extends AnyOperation>(props: Props<O>) {
  const { operation, input, outdates, name, onDeleted, onClose, children } = props
  const call = useCall(operation, outdates)
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete"
      isOpen
      isPending={call.isPending}
      error={call.error}
      onClose={onClose}
      onConfirm={() =>
        call.mutate(input, {
          onSuccess: (answer) => {
            onDeleted(answer)
            onClose()
          },
        })
      }
    >
      {children}
    </ConfirmDialog>
  )
}
