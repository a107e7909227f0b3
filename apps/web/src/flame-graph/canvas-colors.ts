import { useMemo } from 'react'
import { useIsDark } from '../shell/theme.ts'
import type { CanvasColors, ColorMeaning } from './draw-frames.ts'

/** The page's colours, resolved for the theme that is on. */
export function useCanvasColors(meaning: ColorMeaning): CanvasColors {
  const isDark = useIsDark()
  return useMemo(
    () => ({
      isDark,
      meaning,
      background: isDark ? '#1b1a18' : '#ffffff',
      quiet: isDark ? '#35322e' : '#e2ddd5',
      quietText: isDark ? '#c5beb3' : '#57524a',
      ring: isDark ? '#ffffff' : '#1d1b18',
    }),
    [isDark, meaning],
  )
}
