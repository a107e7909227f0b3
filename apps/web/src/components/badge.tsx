import type { ReactNode } from 'react'

export type Tone = 'plain' | 'accent' | 'worse' | 'better' | 'caution'

const looks: Record<Tone, string> = {
  plain: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent',
  worse: 'bg-worse-soft text-worse',
  better: 'bg-better-soft text-better',
  caution: 'bg-caution-soft text-caution',
}

interface Props {
  tone?: Tone
  icon?: ReactNode
  children: ReactNode
}

/** A word or two about a thing's state, or a tag, which may be longer and is cut. */
export function Badge({ tone = 'plain', icon, children }: Props) {
  return (
    <span
      className={`inline-flex max-w-full items-center gap-1 rounded-full px-2 py-px text-sm font-medium whitespace-nowrap ${looks[tone]}`}
    >
      {icon}
      <span className="truncate">{children}</span>
    </span>
  )
}
