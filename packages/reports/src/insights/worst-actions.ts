import { countOf, meanOf, requestMetrics } from '@flamegate/series'
import { told, toldPercent, type Insight } from '../insight.ts'
import type { MeasuredAction, MeasuredRun } from '../measured-run.ts'
import { evidence } from './evidence.ts'

/** What of all actions took most of the time, and what of all containers was the slowest. Of one action alone there is nothing to choose. */
export function worstActionInsights({ id, actions }: MeasuredRun): Insight[] {
  const own = actions.filter(({ holdsOthers }) => !holdsOthers)
  const containers = actions.filter(({ holdsOthers }) => holdsOthers)
  const timeOfAll = own.reduce((sum, action) => sum + timeOf(action), 0)
  const insights: Insight[] = []
  const heaviest = mostBy(own, timeOf)
  const slowest = mostBy(own, p95Of)
  if (own.length > 1 && heaviest !== undefined && slowest !== undefined && timeOfAll > 0) {
    const share = timeOf(heaviest) / timeOfAll
    const isSame = heaviest === slowest
    insights.push({
      kind: 'worst_action',
      level: 'info',
      title: isSame
        ? `${heaviest.name} took ${toldPercent(share)} of all the time, and has the longest p95, ${told(p95Of(heaviest))} ms.`
        : `${heaviest.name} took ${toldPercent(share)} of all the time; ${slowest.name} has the longest p95, ${told(p95Of(slowest))} ms.`,
      detail:
        'Of the actions that are no containers. What takes most of the time is where an improvement gains most.',
      evidence: [
        evidence(id, 'table', `share of the time of ${heaviest.name}`, share, 'share'),
        evidence(id, 'top', `p95 of ${slowest.name}`, p95Of(slowest), 'ms'),
      ],
    })
  }
  const container = mostBy(containers, p95Of)
  if (container !== undefined && p95Of(container) > 0)
    insights.push({
      kind: 'worst_container',
      level: 'info',
      title: `Of the containers ${container.name} has the longest p95, ${told(p95Of(container))} ms.`,
      detail: 'The time of a container is that of all that is in it.',
      evidence: [
        evidence(id, 'table', `p95 of ${container.name}`, p95Of(container), 'ms'),
        evidence(
          id,
          'table',
          `failed in ${container.name}`,
          requestMetrics.errors(container.bucket),
          'count',
        ),
      ],
    })
  return insights
}

function timeOf({ bucket: { responseTime } }: MeasuredAction): number {
  return (meanOf(responseTime) ?? 0) * countOf(responseTime)
}

function p95Of({ bucket }: MeasuredAction): number {
  return (requestMetrics.p95(bucket, 'response') ?? 0) / 1000
}

function mostBy(
  actions: readonly MeasuredAction[],
  of: (action: MeasuredAction) => number,
): MeasuredAction | undefined {
  return actions.toSorted((a, b) => of(b) - of(a))[0]
}
