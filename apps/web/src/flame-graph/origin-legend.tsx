import { useMemo } from 'react'
import { useIsDark } from '../shell/theme.ts'
import { frameColor, originFamilies } from './colors.ts'
import type { FlameTree } from './flame-tree.ts'
import { formatShare } from './node-words.ts'
import { originShares } from './origin-shares.ts'

/** Which colour is which origin, with its share of self value. */
export function OriginLegend({ tree }: { tree: FlameTree }) {
  const isDark = useIsDark()
  const shares = useMemo(() => originShares(tree), [tree])
  return (
    <ul aria-label="Self value by origin" className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {shares.map(({ family, share }) => (
        <li key={family} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className="size-3 rounded-[3px]"
            style={{ background: frameColor('', family, isDark) }}
          />
          {originFamilies[family]}
          <span className="text-muted tabular-nums">{formatShare(share)}</span>
        </li>
      ))}
    </ul>
  )
}
