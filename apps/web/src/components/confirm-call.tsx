import type { AnyOperation } from '@flamegate/client'
import type { AnswerOf, Operation, RawInputOf } from '@flamegate/contract'
import type { ReactNode } from 'react'
import { useCall } from '../api.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Props<O extends AnyOperation> {
  title: string
  /** The verb on the button. */
  action: string
  operation: O
  input: RawInputOf<O>
  outdates: readonly Pick<Operation, 'id'>[]
  onDone?: (answer: AnswerOf<O>) => void
  onClose: () => void
  /** What will happen. */
  children: ReactNode
}

/** Asks before a call, and shows why it could not be done, such as who uses what is to be deleted. */
export function ConfirmCall<O extends AnyOperation>(props: Props<O>) {
  const { operation, input, outdates, onDone, onClose, ...dialog } = props
  const call = useCall(operation, outdates)
  return (
    <ConfirmDialog
      {...dialog}
      isOpen
      isPending={call.isPending}
      error={call.error}
      onClose={onClose}
      onConfirm={() =>
        call.mutate(input, {
          onSuccess: (answer) => {
            onDone?.(answer)
            onClose()
          },
        })
      }
    />
  )
}
