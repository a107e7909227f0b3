import { useContext, useSyncExternalStore } from 'react'
import { PrintedContext } from './printed.ts'
import { storedValue } from './stored-value.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

// public/theme.js reads the same key before the first paint.
const stored = storedValue('flamegate.theme')

export function useTheme(): Theme {
  const value = stored.use()
  return themes.find((theme) => theme === value) ?? 'system'
}

/** Remembers the theme and applies it: the colour tokens follow the `color-scheme` that the attribute sets. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  stored.set(theme)
}

const darkSystem = window.matchMedia('(prefers-color-scheme: dark)')

/** Whether the page is dark now, for what is drawn on a canvas. */
export function useIsDark(): boolean {
  const theme = useTheme()
  const systemIsDark = useSyncExternalStore(
    (listener) => {
      darkSystem.addEventListener('change', listener)
      return () => darkSystem.removeEventListener('change', listener)
    },
    () => darkSystem.matches,
  )
  const isPrinted = useContext(PrintedContext)
  if (isPrinted) return false
  return theme === 'system' ? systemIsDark : theme === 'dark'
}
