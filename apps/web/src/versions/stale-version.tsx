import type { ReactNode } from 'react'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { WarningIcon } from '../components/icons.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { comeIntoSight } from '../documents/come-into-sight.ts'
import type { DocumentDraft } from '../documents/use-document-draft.ts'
import { useComparison, type VersionsSource } from './use-versions.ts'
import { VersionLines } from './version-lines.tsx'

interface Props<Change> {
  edited: DocumentDraft
  source: VersionsSource<Change>
  /** How two versions differ: the first of the changes, and how many there are. */
  renderChanges: (changes: readonly Change[], count: number) => ReactNode
}

/** Somebody saved another version of a document while this one was changed: what they did, and what can be done about it. */
export function StaleVersion<Change>({ edited, source, renderChanges }: Props<Change>) {
  const { newest, applyToNewest, discardForNewest } = edited
  const { version } = edited.draft
  const query = useComparison(source, version, newest, Math.min(100, newest - version))
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
      <Answer query={query} skeleton={<SkeletonBlock height="6rem" />}>
        {({ versions, changes, change_count }) => (
          <div className="flex flex-col gap-2">
            <VersionLines versions={versions} />
            {renderChanges(changes ?? [], change_count ?? 0)}
          </div>
        )}
      </Answer>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onPress={applyToNewest}>
          Apply mine on top
        </Button>
        <Button onPress={discardForNewest}>Discard mine</Button>
      </div>
    </section>
  )
}
