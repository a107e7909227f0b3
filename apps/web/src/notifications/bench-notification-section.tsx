import { operations } from '@flamegate/contract'
import { useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { MoreActions } from '../components/more-actions.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { usePages } from '../paged.ts'
import { type BenchNotification, channels, filterWords } from './bench-notification.ts'
import { DeliveryTable } from './delivery-table.tsx'
import { SendingState } from './sending-state.tsx'
import { TestDialog } from './test-dialog.tsx'

type What = 'change' | 'test' | 'deliveries' | 'delete'

interface Props {
  rows: readonly BenchNotification[]
  mayChange: boolean
  onDo: (what: What, notification: BenchNotification) => void
}

/** The notifications of a workspace, with what can be done about each. */
export function BenchNotificationTable({ rows, mayChange, onDo }: Props) {
  return (
    <DataTable
      label="Notifications"
      rows={rows}
      rowKey={({ id }) => id}
      stacks
      whenEmpty=""
      columns={[
        {
          key: 'name',
          title: 'Name',
          grow: true,
          render: ({ name, channel, target, off_reason: offReason }) => (
            <span className="block min-w-0">
              <span className="block truncate font-medium">{name}</span>
              <span className="block truncate text-sm text-muted">
                {channels[channel].label} to {target}
              </span>
              {offReason === '' ? null : <span className="block text-sm text-worse">{offReason}</span>}
            </span>
          ),
        },
        {
          key: 'events',
          title: 'Is told of',
          hideBelow: 'lg',
          render: ({ events, filter }) => (
            <span className="block min-w-0">
              <span className="block truncate">
                {events.map((event) => event.replace('test_', '')).join(', ')}
              </span>
              <span className="block truncate text-sm text-muted">{filterWords(filter)}</span>
            </span>
          ),
        },
        { key: 'state', title: 'State', render: (each) => <SendingState of={each} /> },
        ...(mayChange
          ? [
              {
                key: 'actions',
                title: 'Actions',
                align: 'right' as const,
                render: (each: BenchNotification) => (
                  <span className="inline-flex gap-2">
                    <Button aria-label={`Test ${each.name}`} onPress={() => onDo('test', each)}>
                      Test
                    </Button>
                    <MoreActions
                      of={each.name}
                      actions={[
                        { label: 'Deliveries…', onAction: () => onDo('deliveries', each) },
                        { label: 'Change…', onAction: () => onDo('change', each) },
                        { label: 'Delete…', onAction: () => onDo('delete', each) },
                      ]}
                    />
                  </span>
                ),
              },
            ]
          : []),
      ]}
    />
  )
}

interface DialogProps {
  notification: BenchNotification
  onClose: () => void
}

/** Sends one message to where a notification goes. */
export function TestBenchNotification({ notification, onClose }: DialogProps) {
  const call = useCall(operations.testNotification, [])
  return (
    <TestDialog
      title={`Test ${notification.name}`}
      action="Send a message"
      call={call}
      onSend={() => call.mutate({ notification_id: notification.id })}
      onClose={onClose}
    >
      Sends one message by {channels[notification.channel].label} to{' '}
      <span className="break-all">{notification.target}</span>.
      {notification.channel === 'jira' ? ' It makes an issue.' : ''}
    </TestDialog>
  )
}

/** What was sent, how it went, and when it is tried again. */
export function BenchDeliveries({ notification, onClose }: DialogProps) {
  const { query, more } = usePages(
    operations.listNotificationDeliveries,
    { notification_id: notification.id },
    ({ deliveries, next_cursor }) => ({ rows: deliveries, nextCursor: next_cursor }),
  )
  return (
    <Dialog title={`Deliveries of ${notification.name}`} isOpen wide onClose={onClose}>
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {(rows) => (
          <DeliveryTable
            rows={rows}
            toWhom={() => notification.target}
            outdates={[operations.listNotificationDeliveries]}
          />
        )}
      </Answer>
      <LoadMore {...more} />
    </Dialog>
  )
}

/** Asks before a notification is deleted. */
export function DeleteBenchNotification({ notification, onClose }: DialogProps) {
  return (
    <ConfirmCall
      title={`Delete ${notification.name}?`}
      action="Delete"
      operation={operations.deleteNotification}
      input={{ notification_id: notification.id }}
      outdates={[operations.listNotifications]}
      onDone={() => say(`${notification.name} is deleted.`)}
      onClose={onClose}
    >
      {notification.target} is told nothing any more, and its deliveries are forgotten.
    </ConfirmCall>
  )
}
