import { useState } from 'react'
import { MoreActions } from '../components/more-actions.tsx'
import type { Benchmark } from './history.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { SettingsDialog } from './settings-dialog.tsx'

type Shown = 'settings' | 'rename' | 'merge'

/** What may be changed about a benchmark, behind a button with three dots. */
export function BenchmarkSettings({ benchmark }: { benchmark: Benchmark }) {
  const [shown, setShown] = useState<Shown>()
  const close = () => setShown(undefined)
  return (
    <>
      <MoreActions
        of={benchmark.name}
        actions={[
          { label: 'Settings…', onAction: () => setShown('settings') },
          { label: 'Rename…', onAction: () => setShown('rename') },
          { label: 'Merge another into this…', onAction: () => setShown('merge') },
        ]}
      />
      {shown === 'settings' ? <SettingsDialog benchmark={benchmark} onClose={close} /> : null}
      {shown === 'rename' ? <RenameDialog benchmark={benchmark} onClose={close} /> : null}
      {shown === 'merge' ? <MergeDialog benchmark={benchmark} onClose={close} /> : null}
    </>
  )
}
