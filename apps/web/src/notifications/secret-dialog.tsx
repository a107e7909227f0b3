import { type AnswerOf, operations } from '@flamegate/contract'
import { useCall } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormResult } from '../components/form-result.tsx'

type Webhook = AnswerOf<typeof operations.listWebhooks>['webhooks'][number]

/** Replaces the secret of a webhook, after asking. */
export function SecretDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const call = useCall(operations.setWebhook, [operations.listWebhooks])
  const secret = call.data?.secret
  if (typeof secret === 'string') {
    return (
      <Dialog title="A new secret" isOpen onClose={onClose}>
        <NewSecret secret={secret} onDone={onClose} />
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title="Replace the secret?"
      action="Replace"
      isOpen
      isPending={call.isPending}
      error={call.error}
      onClose={onClose}
      onConfirm={() =>
        call.mutate({ project_id: webhook.project_id, webhook_id: webhook.id, new_secret: true })
      }
    >
      For a day messages to {webhook.target} are signed with both, the old one and the new one.
    </ConfirmDialog>
  )
}

/** A secret that is shown this once. */
export function NewSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <FormResult onDone={onDone}>
      <p>
        Keep its secret now: it is not shown again. With it the other side can tell that messages are ours.
      </p>
      <CopyField label="Secret" value={secret} />
    </FormResult>
  )
}
