import type { operations, OutputOf } from '@flamegate/contract'
import type { Delivery, GithubReport, Notification, Project, Webhook } from '../ports/index.ts'
import { isoOrNull } from '../wire.ts'

/** Webhooks, deliveries, badges and reports in the words of the wire. */

type WebhookOnWire = OutputOf<typeof operations.setWebhook>['webhook']
type NotificationOnWire = OutputOf<typeof operations.setNotification>['notification']
type DeliveryOnWire = OutputOf<typeof operations.repeatDelivery>['delivery']
type BadgeOnWire = OutputOf<typeof operations.getBadge>
type GithubReportOnWire = OutputOf<typeof operations.getGithubReport>

export function webhookOnWire(webhook: Webhook): WebhookOnWire {
  const { previousSecretUntil } = webhook
  return {
    id: webhook.id,
    project_id: webhook.projectId,
    target: webhook.host,
    events: webhook.events,
    is_active: webhook.isActive,
    off_reason: webhook.offReason,
    failing_since: isoOrNull(webhook.failingSince),
    previous_secret_until:
      previousSecretUntil !== null && previousSecretUntil > new Date()
        ? previousSecretUntil.toISOString()
        : null,
    created_at: webhook.createdAt.toISOString(),
  }
}

export function notificationOnWire({ target, ...notification }: Notification): NotificationOnWire {
  const { addresses = [], host, jira } = target
  return {
    id: notification.id,
    workspace_id: notification.workspaceId,
    name: notification.name,
    channel: notification.channel,
    target: host ?? (jira && `${new URL(jira.base_url).host}, ${jira.project_key}`) ?? addresses.join(', '),
    addresses,
    jira: jira ?? null,
    events: notification.events,
    filter: notification.filter,
    is_active: notification.isActive,
    off_reason: notification.offReason,
    failing_since: isoOrNull(notification.failingSince),
    created_at: notification.createdAt.toISOString(),
  }
}

export function deliveryOnWire(delivery: Delivery): DeliveryOnWire {
  return {
    id: delivery.id,
    project_id: delivery.projectId,
    webhook_id: delivery.webhookId,
    notification_id: delivery.notificationId,
    event: delivery.event,
    state: stateOf(delivery),
    attempt_count: delivery.attempts,
    response_status: delivery.responseStatus,
    response_excerpt: delivery.responseExcerpt,
    duration_ms: delivery.durationMs,
    next_attempt_at: isoOrNull(delivery.nextAt),
    attempted_at: isoOrNull(delivery.attemptedAt),
    created_at: delivery.createdAt.toISOString(),
  }
}

function stateOf({ deliveredAt, nextAt }: Delivery): DeliveryOnWire['state'] {
  if (deliveredAt !== null) return 'delivered'
  return nextAt === null ? 'failed' : 'waiting'
}

export function badgeOnWire(projectId: string, token: string | undefined, publicUrl: string): BadgeOnWire {
  if (token === undefined) return { project_id: projectId, image_url: null, markdown: null }
  const imageUrl = `${publicUrl}/v1/badges/${token}.svg`
  return {
    project_id: projectId,
    image_url: imageUrl,
    markdown: `[![performance](${imageUrl})](${publicUrl}/projects/${projectId})`,
  }
}

export function githubReportOnWire(
  { id, repository }: Pick<Project, 'id' | 'repository'>,
  report: GithubReport | undefined,
  apiUrl: string,
): GithubReportOnWire {
  return {
    project_id: id,
    is_active: report !== undefined,
    sets_status: report?.setsStatus ?? false,
    comments: report?.comments ?? false,
    api_url: apiUrl,
    repository,
  }
}
