import { type AnswerOf, operations } from '@flamegate/contract'
import { useCall } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ProblemNote } from '../components/problem-note.tsx'

type Webhook = AnswerOf<typeof operations.listWebhooks>['webhooks'][number]

/** Sends a ping to a webhook and shows what came back. */
export function TestDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const call = useCall(operations.testWebhook, [])
  return (
    <Dialog title="Test a webhook" isOpen onClose={onClose}>
      <p className="text-muted">
        Sends a message of the type <code>ping</code> to{' '}
        <span className="break-all">{webhook.target_url}</span>, signed like all others.
      </p>
      <div aria-live="polite" className="flex flex-col gap-2">
        {call.error === null ? null : <ProblemNote error={call.error} />}
        {call.data === undefined ? null : <Outcome outcome={call.data} />}
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

function Outcome({ outcome }: { outcome: AnswerOf<typeof operations.testWebhook> }) {
  const { was_delivered, response_status, response_excerpt, duration_ms } = outcome
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={was_delivered ? 'better' : 'worse'}>
          {was_delivered ? 'delivered' : 'not delivered'}
        </Badge>
        {response_status === null ? 'No answer' : `Answer ${response_status}`} after {duration_ms} ms
      </p>
      {response_excerpt === '' ? null : (
        <p className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm break-words">
          {response_excerpt}
        </p>
      )}
    </>
  )
}
