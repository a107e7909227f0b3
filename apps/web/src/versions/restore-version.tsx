import type { AnyOperation } from '@flamegate/client'
import type { AnswerOf, Operation, RawInputOf } from '@flamegate/contract'
import { useCall } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { say } from '../components/toasts.tsx'

interface Props<O extends AnyOperation> {
  operation: O
  input: RawInputOf<O>
  outdates: readonly Pick<Operation, 'id'>[]
  /** The one to go back to. */
  version: number
  /** The one that came of it. */
  versionOf: (answer: AnswerOf<O>) => number
  onClose: () => void
}

/** Asks before a document goes back to a version, and shows why it could not. */
export function RestoreVersion<O extends AnyOperation>(props: Props<O>) {
  const { operation, input, outdates, version, versionOf, onClose } = props
  const call = useCall(operation, outdates)
  return (
    <ConfirmDialog
      title={`Go back to version ${version}?`}
      action="Restore"
      isOpen
      isPending={call.isPending}
      error={call.error}
      onClose={onClose}
      onConfirm={() =>
        call.mutate(input, {
          onSuccess: (answer) => {
            say(`Version ${versionOf(answer)} is as version ${version} was.`)
            onClose()
          },
        })
      }
    >
      It becomes a new version. Those in between stay, and can be restored as well.
    </ConfirmDialog>
  )
}
