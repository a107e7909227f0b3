import type { ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { WarningIcon } from '../components/icons.tsx'
import type { DocumentDraft } from '../documents/use-document-draft.ts'
import { comeIntoSight } from '../documents/come-into-sight.ts'

interface Props {
  edited: DocumentDraft
  /** What was saved meanwhile. */
  children: ReactNode
}

/** Somebody saved another version of a document while this one was changed: what they did, and what can be done about it. */
export function StaleVersion({ edited, children }: Props) {
  const { newest, applyToNewest, discardForNewest } = edited
  const { version } = edited.draft
  return (
    <section
      ref={comeIntoSight}
      role="alert"
      aria-label="A newer version"
      className="flex flex-col gap-3 rounded-lg border border-caution/40 bg-caution-soft p-4"
    >
      <div className="flex gap-3">
        <span className="mt-0.5 text-caution">
          <WarningIcon />
        </span>
        <div className="min-w-0">
          <p className="font-medium">
            Version {newest} was saved while you changed version {version}
          </p>
          <p>Your changes are still here. This is what was saved:</p>
        </div>
      </div>
      {children}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onPress={applyToNewest}>
          Apply mine on top
        </Button>
        <Button onPress={discardForNewest}>Discard mine</Button>
      </div>
    </section>
  )
}
