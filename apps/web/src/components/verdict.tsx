import type { AnswerOf, operations } from '@flamegate/contract'
import type { ReactNode } from 'react'
import { Badge, type Tone } from './badge.tsx'
import { ArrowDown, ArrowUp, EqualIcon, MinusIcon, PlusIcon, WarningIcon, WaveIcon } from './icons.tsx'

export type Compared = AnswerOf<typeof operations.compareRuns>['benchmarks'][number]
export type Verdict = Compared['verdict']

interface Look {
  tone: Tone
  icon: ReactNode
  words: string
}

/** In the order that matters: what to look at first. Icon and word say it without the colour. */
export const verdictLooks: Readonly<Record<Verdict, Look>> = {
  regressed: { tone: 'worse', icon: <ArrowUp />, words: 'slower' },
  improved: { tone: 'better', icon: <ArrowDown />, words: 'faster' },
  noisy: { tone: 'caution', icon: <WaveIcon />, words: 'too noisy' },
  new: { tone: 'accent', icon: <PlusIcon />, words: 'new' },
  missing: { tone: 'caution', icon: <MinusIcon />, words: 'missing' },
  incomparable: { tone: 'caution', icon: <WarningIcon />, words: 'not comparable' },
  unchanged: { tone: 'plain', icon: <EqualIcon />, words: 'unchanged' },
}

export const verdictOrder: readonly Verdict[] = [
  'regressed',
  'improved',
  'noisy',
  'new',
  'missing',
  'incomparable',
  'unchanged',
]

export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const { tone, icon, words } = verdictLooks[verdict]
  return (
    <Badge tone={tone}>
      {icon}
      {words}
    </Badge>
  )
}
