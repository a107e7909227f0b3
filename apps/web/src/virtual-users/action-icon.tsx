import type { ComponentType } from 'react'
import {
  BranchIcon,
  ClockIcon,
  CodeIcon,
  DiceIcon,
  EqualIcon,
  ExchangeIcon,
  FolderIcon,
  LoopIcon,
  OnceIcon,
  PacingIcon,
  PlugIcon,
  WindowIcon,
} from '../components/icons.tsx'

const icons: Readonly<Record<string, ComponentType>> = {
  http_request: ExchangeIcon,
  container: FolderIcon,
  delay: ClockIcon,
  pacing: PacingIcon,
  if: BranchIcon,
  while: LoopIcon,
  loop: LoopIcon,
  for_each: LoopIcon,
  random: DiceIcon,
  once: OnceIcon,
  set_variable: EqualIcon,
  script: CodeIcon,
  websocket: PlugIcon,
  page: WindowIcon,
}

/** What kind of action it is, in sight. */
export function ActionIcon({ type }: { type: string }) {
  const Known = icons[type] ?? CodeIcon
  return <Known />
}
