import { type AnswerOf, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { CheckboxGroup } from '../components/checkbox-group.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { NewSecret } from './secret-dialog.tsx'

type Webhook = AnswerOf<typeof operations.listWebhooks>['webhooks'][number]
type WebhookEvent = Webhook['events'][number]

const eventWords: Record<WebhookEvent, string> = {
  'alert.opened': 'Something changed, or an alert was opened anew',
  'alert.resolved': 'An alert was resolved',
  'live_alert.opened': 'A live app is beyond a threshold',
  'live_alert.resolved': 'It is not any more',
  'run.completed': 'A run came in, and how it did against its baseline',
}
const eventNames: readonly WebhookEvent[] = [
  'alert.opened',
  'alert.resolved',
  'live_alert.opened',
  'live_alert.resolved',
  'run.completed',
]
const eventChoices = eventNames.map((id) => ({
  id,
  label: (
    <span>
      {eventWords[id]} <code className="text-muted">{id}</code>
    </span>
  ),
}))

interface Props {
  projectId: string
  /** The one to change; a new one when left out. */
  webhook?: Webhook
  onClose: () => void
}

/** Makes a webhook and shows its secret, or changes one. */
export function WebhookDialog({ projectId, webhook, onClose }: Props) {
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? eventNames)
  const [isActive, setActive] = useState(webhook?.is_active ?? true)
  const call = useCall(operations.setWebhook, [operations.listWebhooks])
  const secret = call.data?.secret
  if (typeof secret === 'string') {
    return (
      <Dialog title="The webhook is on" isOpen onClose={onClose}>
        <NewSecret secret={secret} onDone={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title={webhook === undefined ? 'New webhook' : 'Change a webhook'} isOpen onClose={onClose}>
      <Form
        error={call.error}
        fields={['target_url', 'events']}
        onSubmit={(values) => {
          const target_url = textOf(values, 'target_url').trim()
          call.mutate(
            {
              project_id: projectId,
              ...(webhook !== undefined && target_url === '' ? {} : { target_url }),
              events: eventNames.filter((name) => events.includes(name)),
              ...(webhook === undefined ? {} : { webhook_id: webhook.id, is_active: isActive }),
            },
            {
              onSuccess: ({ secret: shown }) => {
                if (shown !== null) return
                say('The webhook is changed.')
                onClose()
              },
            },
          )
        }}
      >
        <TextField
          label="Address"
          name="target_url"
          type="url"
          placeholder="https://hooks.example.com/flamegate"
          hint={
            webhook === undefined
              ? 'Messages are posted there as JSON, over https. It is kept sealed, and not shown again.'
              : `Leave it empty to keep the one at ${webhook.target}.`
          }
          maxLength={2000}
          isRequired={webhook === undefined}
        />
        <CheckboxGroup
          label="It is told when"
          name="events"
          choices={eventChoices}
          value={events}
          onChange={setEvents}
        />
        {webhook === undefined ? null : (
          <Checkbox isSelected={isActive} onChange={setActive}>
            It is on
          </Checkbox>
        )}
        <FormButtons
          action={webhook === undefined ? 'Create webhook' : 'Save'}
          isDisabled={call.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}
