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
  regressed: { tone: 'worse', icon: <ArrowUp />, words: 'regressed' },
  improved: { tone: 'better', icon: <ArrowDown />, words: 'improved' },
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

/** The arrow says where the value went: up is worse only where less is better. */
export function VerdictBadge({
  verdict,
  betterWhen = 'lower',
}: {
  verdict: Verdict
  betterWhen?: 'lower' | 'higher'
}) {
  const { tone, icon, words } = verdictLooks[verdict]
  const isTurned = betterWhen === 'higher' && (verdict === 'regressed' || verdict === 'improved')
  return (
    <Badge tone={tone} icon={<span className={isTurned ? 'rotate-180' : ''}>{icon}</span>}>
      {words}
    </Badge>
  )
}
