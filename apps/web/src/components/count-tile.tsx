import type { ReactNode } from 'react'
import type { Tone } from './badge.tsx'

interface Props {
  count: number
  tone: Tone
  isChosen: boolean
  onPress: () => void
  /** Lower, with the words beside the number. */
  isLow?: boolean
  /** What is counted. */
  children: ReactNode
}

const numberColors: Readonly<Record<Tone, string>> = {
  plain: 'text-text',
  accent: 'text-accent',
  worse: 'text-worse',
  better: 'text-better',
  caution: 'text-caution',
}

/** How many rows of a table are of a kind; a press narrows the table to them, where there are any. */
export function CountTile({ count, tone, isChosen, onPress, isLow = false, children }: Props) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      disabled={count === 0 && !isChosen}
      onClick={onPress}
      className={`flex rounded-lg border border-line bg-surface px-4 text-left enabled:hover:border-line-strong disabled:text-muted aria-pressed:border-accent aria-pressed:bg-accent-soft ${isLow ? 'items-baseline gap-2 py-2' : 'flex-col items-start py-3'}`}
    >
      <span
        className={`${isLow ? 'text-xl' : 'text-2xl'} font-semibold tabular-nums ${count === 0 ? '' : numberColors[tone]}`}
      >
        {count.toLocaleString()}
      </span>
      <span className="flex items-center gap-1.5 whitespace-nowrap text-muted">{children}</span>
    </button>
  )
}
