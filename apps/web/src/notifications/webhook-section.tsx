import { type AnswerOf, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { MoreActions } from '../components/more-actions.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { SendingState } from './sending-state.tsx'
import { TestDialog } from './test-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

type Webhook = AnswerOf<typeof operations.listWebhooks>['webhooks'][number]
/** What is done about a webhook, in a dialog. */
type Doing = { what: 'change' | 'test' | 'delete' | 'new secret'; webhook: Webhook }

/** The webhooks of a project, with everything that can be done about them. */
export function WebhookSection({ projectId }: { projectId: string }) {
  const query = useAnswer(operations.listWebhooks, { project_id: projectId })
  const [isNew, setNew] = useState(false)
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <Section
      title="Webhooks"
      aside={
        <Button variant="primary" onPress={() => setNew(true)}>
          <PlusIcon />
          New webhook
        </Button>
      }
    >
      <Answer query={query} skeleton={<SkeletonTable rows={2} />}>
        {({ webhooks }) => (
          <DataTable
            label="Webhooks"
            rows={webhooks}
            rowKey={({ id }) => id}
            stacks
            whenEmpty="None: no other program is told."
            columns={[
              {
                key: 'address',
                title: 'Address',
                grow: true,
                render: ({ target, off_reason }) => (
                  <span className="block min-w-0">
                    <span className="block truncate font-medium">{target}</span>
                    {off_reason === '' ? null : (
                      <span className="block text-sm text-worse">{off_reason}</span>
                    )}
                  </span>
                ),
              },
              {
                key: 'events',
                title: 'Is told',
                hideBelow: 'lg',
                render: ({ events }) => events.join(', '),
              },
              { key: 'state', title: 'State', render: (webhook) => <SendingState of={webhook} /> },
              {
                key: 'actions',
                title: 'Actions',
                align: 'right',
                render: (webhook) => (
                  <span className="inline-flex gap-2">
                    <Button
                      aria-label={`Test ${webhook.target}`}
                      onPress={() => setDoing({ what: 'test', webhook })}
                    >
                      Test
                    </Button>
                    <MoreActions
                      of={webhook.target}
                      actions={[
                        { label: 'Change…', onAction: () => setDoing({ what: 'change', webhook }) },
                        { label: 'New secret…', onAction: () => setDoing({ what: 'new secret', webhook }) },
                        { label: 'Delete…', onAction: () => setDoing({ what: 'delete', webhook }) },
                      ]}
                    />
                  </span>
                ),
              },
            ]}
          />
        )}
      </Answer>
      {isNew ? <WebhookDialog projectId={projectId} onClose={() => setNew(false)} /> : null}
      {doing?.what === 'change' ? (
        <WebhookDialog projectId={projectId} webhook={doing.webhook} onClose={close} />
      ) : null}
      {doing?.what === 'new secret' ? <SecretDialog webhook={doing.webhook} onClose={close} /> : null}
      {doing?.what === 'test' ? <TestWebhook webhook={doing.webhook} onClose={close} /> : null}
      {doing?.what === 'delete' ? <DeleteWebhook webhook={doing.webhook} onClose={close} /> : null}
    </Section>
  )
}

function TestWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const call = useCall(operations.testWebhook, [])
  return (
    <TestDialog
      title="Test a webhook"
      action="Send a ping"
      call={call}
      onSend={() => call.mutate({ webhook_id: webhook.id })}
      onClose={onClose}
    >
      Sends a message of the type <code>ping</code> to <span className="break-all">{webhook.target}</span>,
      signed like all others.
    </TestDialog>
  )
}

function DeleteWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  return (
    <ConfirmCall
      title="Delete this webhook?"
      action="Delete"
      operation={operations.deleteWebhook}
      input={{ webhook_id: webhook.id }}
      outdates={[operations.listWebhooks, operations.listDeliveries]}
      onDone={() => say('The webhook is deleted.')}
      onClose={onClose}
    >
      {webhook.target} is told nothing any more, and its deliveries are forgotten.
    </ConfirmCall>
  )
}
