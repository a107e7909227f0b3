import { counterOf, errorsByClass, requestMetrics } from '@flamegate/series'
import { toldPercent, type Insight } from '../insight.ts'
import type { MeasuredRun } from '../measured-run.ts'
import { evidence } from './evidence.ts'

/** Of all requests. */
const shareCritical = 0.05
const shareWarning = 0.001

const advice: Readonly<Record<string, string>> = {
  dns: 'Names could not be resolved: look at the resolver of the agents.',
  connect: 'Connections were not accepted: look at backlogs, limits of open files, and firewalls.',
  tls: 'TLS was not agreed on: look at certificates and ciphers.',
  timeout: 'Answers did not come in time: look at what the system waited for then.',
  reset: 'Connections were cut: look at restarts, proxies, and idle timeouts.',
  refused_target: 'The agents were not allowed to go there: look at the targets of the project.',
  protocol: 'Answers were not proper HTTP: look at what stands in between.',
  status_4xx:
    'The requests were refused: look at the samples, for data that was used up, and for rate limits.',
  status_5xx: 'The system failed by itself: look at its logs of that time.',
  assertion: 'Answers came, but were not what was asserted: look at the samples.',
  extractor: 'Answers lacked what the next request needs: look at the samples.',
}

/** Which errors there were most, since when, and how many at worst. */
export function errorInsights({ id, total, requests, actions }: MeasuredRun): Insight[] {
  const count = total === undefined ? 0 : counterOf(total, 'count')
  if (total === undefined || count === 0) return []
  const failed = requestMetrics.errors(total)
  const share = failed / count
  if (failed === 0)
    return [
      {
        kind: 'no_errors',
        level: 'passed',
        // As exact as the summary has it.
        title: `None of ${count.toLocaleString('en-US')} ${count === 1 ? 'request' : 'requests'} failed.`,
        detail: 'Answers with a status below 400, within their time, and as asserted.',
        evidence: [evidence(id, 'errors', 'failed', 0, 'count')],
      },
    ]
  const [worst] = errorsByClass(total)
  const worstClass = (worst?.class ?? 'other').replaceAll('_', ' ')
  const first = requests.find((bucket) => requestMetrics.errors(bucket) > 0)
  // Of a run that was only answered while it drained there is none.
  const [peak] = requests.toSorted((a, b) => shareIn(b) - shareIn(a))
  const [where] = actions
    .filter(({ holdsOthers }) => !holdsOthers)
    .toSorted((a, b) => requestMetrics.errors(b.bucket) - requestMetrics.errors(a.bucket))
  return [
    {
      kind: 'errors',
      level: share >= shareCritical ? 'critical' : share >= shareWarning ? 'warning' : 'info',
      title: `${toldPercent(share)} of the requests failed, most by ${worstClass}, ${first === undefined ? 'after the load' : `from second ${first.second} on`}.`,
      detail: [
        where === undefined ? '' : `Most of all: ${where.name}.`,
        advice[worst?.class ?? ''] ?? 'Look at the samples.',
      ]
        .filter((words) => words !== '')
        .join(' '),
      evidence: [
        evidence(id, 'error_share', 'share of errors', share, 'share'),
        evidence(
          id,
          'errors',
          `failed by ${worstClass}`,
          worst?.count ?? failed,
          'count',
          first?.second ?? null,
        ),
        ...(peak === undefined
          ? []
          : [evidence(id, 'error_share', 'highest share of errors', shareIn(peak), 'share', peak.second)]),
        ...(where === undefined
          ? []
          : [
              evidence(id, 'errors', `failed in ${where.name}`, requestMetrics.errors(where.bucket), 'count'),
            ]),
      ],
    },
  ]
}

function shareIn(bucket: MeasuredRun['requests'][number]): number {
  return requestMetrics.error_share(bucket) ?? 0
}
