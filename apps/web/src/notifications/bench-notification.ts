import type { AnswerOf, operations } from '@flamegate/contract'

export type BenchNotification = AnswerOf<typeof operations.listNotifications>['notifications'][number]
type Channel = BenchNotification['channel']
type NotificationEvent = BenchNotification['events'][number]

/** What people call the channels, and what each has to be told. */
export const channels: Readonly<Record<Channel, { label: string; address: string }>> = {
  email: { label: 'E-mail', address: 'Addresses of members, with commas between' },
  http: { label: 'HTTP (signed)', address: 'Address' },
  slack: { label: 'Slack', address: 'Address of the incoming webhook' },
  teams: { label: 'Microsoft Teams', address: 'Address of the workflow' },
  google_chat: { label: 'Google Chat', address: 'Address of the webhook of a space' },
  webex: { label: 'Webex', address: 'Address of the incoming webhook' },
  jira: { label: 'Jira', address: 'Site' },
}

export const eventWords: Readonly<Record<NotificationEvent, string>> = {
  test_started: 'A load test has begun',
  test_ended: 'It has ended, however it did',
  test_passed: 'It kept to its thresholds and SLA profiles',
  test_failed: 'It did not keep to them',
  test_error: 'It could not be run',
  live_alert_opened: 'A live app is beyond a threshold',
  live_alert_resolved: 'It is not any more',
}

/** Whose runs a notification is about, in words. */
export function filterWords({
  scenario_name: name,
  duration_ms_min: duration,
  users_min: users,
}: BenchNotification['filter']): string {
  const words = [
    ...(name === null ? [] : [`scenario ${name.match.replaceAll('_', ' ')} “${name.text}”`]),
    ...(users === null ? [] : [`${users} users or more`]),
    ...(duration === null ? [] : [`${Math.round(duration / 1000)} s or longer`]),
  ]
  return words.length === 0 ? 'all load tests' : words.join(', ')
}
