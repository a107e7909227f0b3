import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { WarningIcon } from '../components/icons.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { ChangeList } from './change-list.tsx'
import { comeIntoSight } from './come-into-sight.ts'

interface Props {
  virtualUserId: string
  /** The version that the unsaved changes are made to. */
  version: number
  newest: number
  onApply: () => void
  onDiscard: () => void
}

/** Somebody saved another version while this one was changed: what they did, and what can be done about it. */
export function StaleNote({ virtualUserId, version, newest, onApply, onDiscard }: Props) {
  const query = useAnswer(operations.listVirtualUserVersions, {
    virtual_user_id: virtualUserId,
    compare: `${version}..${newest}`,
    limit: Math.min(100, newest - version),
  })
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
            <ul className="text-sm">
              {versions.map(({ version: each, author_email, author_client, created_at }) => (
                <li key={each}>
                  Version {each} by {author_email ?? 'somebody who left'} ({author_client}),{' '}
                  <When at={created_at} />
                </li>
              ))}
            </ul>
            <div className="max-h-72 overflow-y-auto">
              <ChangeList virtualUserId={virtualUserId} changes={changes ?? []} count={change_count ?? 0} />
            </div>
          </div>
        )}
      </Answer>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onPress={onApply}>
          Apply mine on top
        </Button>
        <Button onPress={onDiscard}>Discard mine</Button>
      </div>
    </section>
  )
}
