import { type AnswerOf, operations } from '@flamegate/contract'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { TrialOutcome } from './trial-outcome.tsx'

type Webhook = AnswerOf<typeof operations.listWebhooks>['webhooks'][number]

/** Sends a ping to a webhook and shows what came back. */
export function TestDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const call = useCall(operations.testWebhook, [])
  return (
    <Dialog title="Test a webhook" isOpen onClose={onClose}>
      <p className="text-muted">
        Sends a message of the type <code>ping</code> to <span className="break-all">{webhook.target}</span>,
        signed like all others.
      </p>
      <div aria-live="polite" className="flex flex-col gap-2">
        {call.error === null ? null : <ProblemNote error={call.error} />}
        {call.data === undefined ? null : <TrialOutcome outcome={call.data} />}
      </div>
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>Close</Button>
        <Button
          variant="primary"
          isDisabled={call.isPending}
          onPress={() => call.mutate({ webhook_id: webhook.id })}
        >
          {call.isPending ? 'Waiting for an answer…' : 'Send a ping'}
        </Button>
      </div>
    </Dialog>
  )
}
