import { Problem, type Caller } from '@flamegate/contract'
import { checkByDefault } from '../benchmarks/check-run.ts'
import { messageBody } from '../monitoring/message-body.ts'
import { reportToGithub, type GithubAnswer } from '../monitoring/report-to-github.ts'
import { nextAttemptAt, switchOffAfterMs } from '../monitoring/retry-schedule.ts'
import { sendSigned } from '../monitoring/send-signed.ts'
import { messageOfChannel } from '../monitoring/message-of-channel.ts'
import { toldOfLiveAlert } from '../monitoring/live-alert-notice.ts'
import { toldOfRun } from '../monitoring/run-notice.ts'
import { sendNotification } from '../monitoring/send-notification.ts'
import {
  mayComeBack,
  type AttemptOutcome,
  type Delivery,
  type Notification,
  type NotificationEvent,
  type Webhook,
} from '../ports/index.ts'
import { workerCaller, type JobDeps } from './job.ts'

/** The other side says that it is gone for good. */
const gone = 410
/** What GitHub answers the same tomorrow: the token, the repository or the commit is not right. */
const finalForGithub = new Set([401, 404, gone, 422])

/**
 * Sends one message of the outbox to a webhook or a notification, or reports one run to GitHub. It is taken for the next attempt before anything is
 * sent, so that a worker that dies over it tries it neither twice at once nor never again.
 */
export async function deliver(
  { id, workspaceId }: Pick<Delivery, 'id' | 'workspaceId'>,
  deps: JobDeps,
): Promise<void> {
  const caller = workerCaller(workspaceId)
  const { deliveries } = deps.stores
  const waiting = await deliveries.find(caller, id)
  const delivery =
    waiting && (await deliveries.take(caller, waiting, nextAttemptAt(waiting.attempts, new Date())))
  if (delivery === undefined) return
  try {
    if (delivery.notificationId !== null) await notify(delivery, delivery.notificationId, caller, deps)
    else if (delivery.webhookId !== null) await post(delivery, delivery.webhookId, caller, deps)
    else await report(delivery, caller, deps)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const isOver = error.code !== 'not_ready' && !mayComeBack(error)
    await (isOver
      ? deliveries.giveUp(caller, delivery.id, error.message)
      : deliveries.noteOutcome(caller, delivery.id, notSentYet(error)))
  }
}

/** What it tells of is still being read, or something is away: the next attempt comes as it does when nobody answers. */
function notSentYet({ message }: Problem): AttemptOutcome {
  return { wasDelivered: false, responseStatus: null, responseExcerpt: message, durationMs: 0 }
}

async function post(delivery: Delivery, webhookId: string, caller: Caller, deps: JobDeps): Promise<void> {
  const { deliveries, webhooks } = deps.stores
  const webhook = await webhooks.find(caller, webhookId)
  if (!webhook?.isActive) return deliveries.giveUp(caller, delivery.id, 'The webhook is switched off.')
  const body = delivery.body ?? (await messageBody({ caller, deps }, delivery, deps.publicUrl))
  if (body === undefined) return deliveries.giveUp(caller, delivery.id, 'What it tells of was deleted.')
  if (delivery.body === null) await deliveries.keepBody(caller, delivery.id, body)
  const outcome = await sendSigned(webhook, { id: delivery.id, body }, deps)
  await deliveries.noteOutcome(caller, delivery.id, outcome)
  const change = healthAfter(webhook, outcome, new Date())
  if (change !== undefined) await webhooks.update(caller, webhook.id, change)
  if (change?.isActive === false) await deliveries.giveUp(caller, delivery.id, outcome.responseExcerpt)
}

async function notify(
  delivery: Delivery,
  notificationId: string,
  caller: Caller,
  deps: JobDeps,
): Promise<void> {
  const { deliveries, notifications } = deps.stores
  const notification = await notifications.find(caller, notificationId)
  if (!notification?.isActive)
    return deliveries.giveUp(caller, delivery.id, 'The notification is switched off.')
  const body = delivery.body ?? (await bodyOfNotification(delivery, notification, caller, deps))
  if (body === undefined) return deliveries.giveUp(caller, delivery.id, 'What it tells of was deleted.')
  if (delivery.body === null) await deliveries.keepBody(caller, delivery.id, body)
  const outcome = await sendNotification(notification, { id: delivery.id, body }, caller, deps)
  await deliveries.noteOutcome(caller, delivery.id, outcome)
  const change = healthAfter(notification, outcome, new Date())
  if (change !== undefined) await notifications.update(caller, notification.id, change)
  if (change?.isActive === false) await deliveries.giveUp(caller, delivery.id, outcome.responseExcerpt)
}

async function bodyOfNotification(
  delivery: Delivery,
  notification: Notification,
  caller: Caller,
  deps: JobDeps,
): Promise<string | undefined> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `tellOfRun` and `tellOfLiveAlert` put in
  const event = delivery.event as NotificationEvent
  const reading = { caller, deps }
  const told =
    event === 'live_alert_opened' || event === 'live_alert_resolved'
      ? await toldOfLiveAlert(reading, { ...delivery, event }, deps.publicUrl)
      : await toldOfRun(reading, { ...delivery, event }, deps.publicUrl)
  return told && messageOfChannel(notification, told)
}

/** What one more attempt says of whoever is told; undefined when it is nothing new. */
function healthAfter(
  { failingSince }: Pick<Webhook, 'failingSince'>,
  { wasDelivered, responseStatus }: AttemptOutcome,
  now: Date,
): Partial<Pick<Webhook, 'failingSince' | 'isActive' | 'offReason'>> | undefined {
  if (wasDelivered) return failingSince === null ? undefined : { failingSince: null }
  if (responseStatus === gone) {
    return { isActive: false, offReason: 'The address answered that it is gone (410).' }
  }
  if (failingSince === null) return { failingSince: now }
  if (now.getTime() - failingSince.getTime() < switchOffAfterMs) return undefined
  const last = responseStatus === null ? 'there was no answer' : `the answer was ${responseStatus}`
  return {
    isActive: false,
    offReason: `Nothing got through since ${failingSince.toISOString()}; at last ${last}.`,
  }
}

async function report(delivery: Delivery, caller: Caller, deps: JobDeps): Promise<void> {
  const { deliveries, githubReports, projects, runs } = deps.stores
  const [runId = ''] = delivery.subjectIds
  const [wishes, project, run] = await Promise.all([
    githubReports.find(caller, delivery.projectId),
    projects.find(caller, delivery.projectId),
    runs.find(caller, runId),
  ])
  if (wishes === undefined || project === undefined || run === undefined)
    return deliveries.giveUp(caller, delivery.id, 'Nothing is reported to GitHub any more.')
  const { repository } = project
  if (repository === null)
    return deliveries.giveUp(caller, delivery.id, 'The project has no repository to report to.')
  const { answer } = await checkByDefault({ caller, deps }, run, deps.publicUrl)
  const [newest] = await runs.list(
    caller,
    project.id,
    { limit: 1 },
    { status: 'COMPLETED', ...(run.pullRequest === null ? {} : { pullRequest: run.pullRequest }) },
  )
  const isNewest = newest === undefined || newest.id === run.id
  const startedAt = performance.now()
  const said = await reportToGithub(
    deps.github,
    await deps.sealing.open(wishes.sealedToken, project.id),
    wishes,
    {
      project,
      repository,
      run,
      passed: answer.passed,
      summary: summaryOf(answer),
      report: answer.report,
      reportUrl: `${deps.publicUrl}/runs/${run.id}/report`,
      isNewest,
      isNewestOfCommit: isNewest || newest.commitHash !== run.commitHash,
    },
  ).catch((): GithubAnswer | undefined => undefined)
  const durationMs = Math.round(performance.now() - startedAt)
  const responseExcerpt = said?.message ?? 'GitHub could not be reached.'
  await deliveries.noteOutcome(caller, delivery.id, {
    wasDelivered: said?.isTaken === true,
    responseStatus: said?.status ?? null,
    responseExcerpt,
    durationMs,
    retryAfterSeconds: said?.retryAfterSeconds,
  })
  if (said !== undefined && finalForGithub.has(said.status)) {
    await deliveries.giveUp(caller, delivery.id, responseExcerpt)
  }
}

function summaryOf(answer: { base: unknown; failure_count: number; judged_count: number }): string {
  if (answer.failure_count > 0) {
    return `${answer.failure_count} of ${answer.judged_count} benchmarks did not pass.`
  }
  if (answer.judged_count > 0) return `No regression in ${answer.judged_count} benchmarks.`
  return answer.base === null
    ? 'There is no earlier run to judge this one against.'
    : 'The run has no benchmark in common with its baseline: nothing was judged.'
}
