import { type AnswerOf, operations } from '@flamegate/contract'
import { useAnswer, useCall } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { usePages } from '../paged.ts'

type Delivery = AnswerOf<typeof operations.listDeliveries>['deliveries'][number]

const tones = { delivered: 'better', waiting: 'caution', failed: 'worse' } as const

/** What was sent, how it went, and when it is tried again. */
export function DeliverySection({ projectId }: { projectId: string }) {
  const { query, more } = usePages(
    operations.listDeliveries,
    { project_id: projectId },
    ({ deliveries, next_cursor }) => ({ rows: deliveries, nextCursor: next_cursor }),
  )
  const webhooks = useAnswer(operations.listWebhooks, { project_id: projectId }).data?.webhooks ?? []
  const addresses = new Map(webhooks.map(({ id, target_url }) => [id, new URL(target_url).host]))
  return (
    <Section
      title="Deliveries"
      aside={
        <Button isDisabled={query.isFetching} onPress={() => void query.refetch()}>
          Look again
        </Button>
      }
    >
      {query.error === null ? null : <ProblemNote error={query.error} />}
      {query.data === undefined ? (
        <SkeletonTable rows={3} />
      ) : (
        <DataTable
          label="Deliveries"
          rows={query.data}
          rowKey={({ id }) => id}
          stacks
          whenEmpty="Nothing was sent in the last 30 days."
          columns={[
            {
              key: 'event',
              title: 'Event',
              grow: true,
              render: ({ event, webhook_id, response_excerpt }) => (
                <span className="block min-w-0">
                  <span className="block truncate">
                    <span className="font-medium">{event}</span>{' '}
                    <span className="text-muted">
                      to {webhook_id === null ? 'GitHub' : (addresses.get(webhook_id) ?? webhook_id)}
                    </span>
                  </span>
                  <span className="block truncate text-sm text-muted">{response_excerpt}</span>
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
              render: (delivery) => <Repeat delivery={delivery} />,
            },
          ]}
        />
      )}
      <LoadMore {...more} />
    </Section>
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

function Repeat({ delivery }: { delivery: Delivery }) {
  const call = useCall(operations.repeatDelivery, [operations.listDeliveries])
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
