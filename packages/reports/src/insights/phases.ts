import { counterOf, phaseMeans, phases, type Phase } from '@flamegate/series'
import { told, toldPercent, type Insight } from '../insight.ts'
import type { MeasuredRun } from '../measured-run.ts'
import { evidence } from './evidence.ts'

/** Of the time of requests, for connections to be what to begin with. */
const connectingShare = 0.3

const words: Readonly<Record<Phase, string>> = {
  dns: 'resolving names',
  connect: 'opening connections',
  tls: 'agreeing on TLS',
  wait: 'waiting for the first byte',
  download: 'receiving',
}

/** What requests spent most of their time on. */
export function phaseInsights({ id, total }: MeasuredRun): Insight[] {
  const means = total === undefined ? null : phaseMeans(total)
  const sum = means === null ? 0 : phases.reduce((all, phase) => all + means[phase], 0)
  if (total === undefined || means === null || sum === 0) return []
  const shareOf = (phase: Phase) => means[phase] / sum
  const connecting = shareOf('dns') + shareOf('connect') + shareOf('tls')
  const most = phases.reduce((first, phase) => (means[phase] > means[first] ? phase : first))
  const numbers = phases.map((phase) =>
    evidence(id, 'phases', `mean of ${words[phase]}`, means[phase] / 1000, 'ms'),
  )
  if (connecting >= connectingShare)
    return [
      {
        kind: 'connections',
        level: 'warning',
        title: `${toldPercent(connecting)} of the time went into connections, before anything was sent.`,
        detail:
          'Look whether the server keeps connections open (keep-alive), and whether virtual users begin anew more often than people would.',
        evidence: [
          ...numbers,
          evidence(id, 'phases', 'connections opened', counterOf(total, 'connections_opened'), 'count'),
        ],
      },
    ]
  return [
    {
      kind: 'phases',
      level: 'info',
      title: `${toldPercent(shareOf(most))} of the time of requests was ${words[most]}, ${told(means[most] / 1000)} ms on average.`,
      detail:
        most === 'download'
          ? 'Answers are large, or the network is narrow.'
          : 'That is the time of the system itself.',
      evidence: numbers,
    },
  ]
}
