import type { AnyOperation } from '@flamegate/client'
import type { AnswerOf, Operation, RawInputOf } from '@flamegate/contract'
import { ConfirmCall } from '../components/confirm-call.tsx'
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
  const { version, versionOf, ...call } = props
  return (
    <ConfirmCall
      {...call}
      title={`Go back to version ${version}?`}
      action="Restore"
      onDone={(answer) => say(`Version ${versionOf(answer)} is as version ${version} was.`)}
    >
      It becomes a new version. Those in between stay, and can be restored as well.
    </ConfirmCall>
  )
}
