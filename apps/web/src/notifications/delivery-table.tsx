import { type AnswerOf, type Operation, operations } from '@flamegate/contract'
import { useCall } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'

type Delivery = AnswerOf<typeof operations.listDeliveries>['deliveries'][number]

const tones = { delivered: 'better', waiting: 'caution', failed: 'worse' } as const

interface Props {
  rows: readonly Delivery[]
  toWhom: (delivery: Delivery) => string
  /** Listings of them. */
  outdates: readonly Pick<Operation, 'id'>[]
}

/** Messages that were sent, each with a way to send it once more. */
export function DeliveryTable({ rows, toWhom, outdates }: Props) {
  return (
    <DataTable
      label="Deliveries"
      rows={rows}
      rowKey={({ id }) => id}
      stacks
      whenEmpty="Nothing was sent in the last 30 days."
      columns={[
        {
          key: 'event',
          title: 'Event',
          grow: true,
          render: (delivery) => (
            <span className="block min-w-0">
              <span className="block truncate">
                <span className="font-medium">{delivery.event}</span>{' '}
                <span className="text-muted">to {toWhom(delivery)}</span>
              </span>
              <span className="block truncate text-sm text-muted">{delivery.response_excerpt}</span>
            </span>
          ),
        },
        {
          key: 'state',
          title: 'State',
          render: ({ state }) => <Badge tone={tones[state]}>{state}</Badge>,
        },
        { key: 'answer', title: 'Answer', render: (delivery) => <AnswerCell delivery={delivery} /> },
        {
          key: 'at',
          title: 'When',
          hideBelow: 'sm',
          render: ({ created_at, next_attempt_at }) => (
            <span className="block">
              <When at={created_at} />
              {next_attempt_at === null ? null : (
                <span className="block text-sm whitespace-nowrap text-muted">
                  again at {clockTime(next_attempt_at)}
                </span>
              )}
            </span>
          ),
        },
        {
          key: 'repeat',
          title: 'Send again',
          align: 'right',
          render: (delivery) => <Repeat delivery={delivery} outdates={outdates} />,
        },
      ]}
    />
  )
}

function AnswerCell({ delivery }: { delivery: Delivery }) {
  const { attempt_count, response_status, duration_ms } = delivery
  if (attempt_count === 0) return <span className="whitespace-nowrap">not tried yet</span>
  return (
    <span className="block whitespace-nowrap">
      {response_status ?? 'none'}
      {duration_ms === null ? '' : ` in ${duration_ms} ms`}
      {attempt_count === 1 ? null : (
        <span className="block text-sm text-muted">{attempt_count} attempts</span>
      )}
    </span>
  )
}

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' })

function clockTime(at: string): string {
  return clock.format(new Date(at))
}

function Repeat({ delivery, outdates }: { delivery: Delivery } & Pick<Props, 'outdates'>) {
  const call = useCall(operations.repeatDelivery, outdates)
  return (
    <Button
      variant="quiet"
      aria-label={`Send again: ${delivery.event} ${delivery.id}`}
      isDisabled={call.isPending}
      onPress={() =>
        call.mutate(
          { delivery_id: delivery.id },
          {
            onSuccess: () => say('It is sent once more.'),
            onError: (error) => say(error.message),
          },
        )
      }
    >
      Send again
    </Button>
  )
}
