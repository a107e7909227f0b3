import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import type { DocumentDraft } from '../documents/use-document-draft.ts'
import { StaleVersion } from '../versions/stale-version.tsx'
import { VersionLines } from '../versions/version-lines.tsx'
import { ChangeList } from './change-list.tsx'

interface Props {
  virtualUserId: string
  edited: DocumentDraft
}

/** Somebody saved another version while this one was changed: what they did, and what can be done about it. */
export function StaleNote({ virtualUserId, edited }: Props) {
  const { newest } = edited
  const { version } = edited.draft
  const query = useAnswer(operations.listVirtualUserVersions, {
    virtual_user_id: virtualUserId,
    compare: `${version}..${newest}`,
    limit: Math.min(100, newest - version),
  })
  return (
    <StaleVersion edited={edited}>
      <Answer query={query} skeleton={<SkeletonBlock height="6rem" />}>
        {({ versions, changes, change_count }) => (
          <div className="flex flex-col gap-2">
            <VersionLines versions={versions} />
            <div className="max-h-72 overflow-y-auto">
              <ChangeList virtualUserId={virtualUserId} changes={changes ?? []} count={change_count ?? 0} />
            </div>
          </div>
        )}
      </Answer>
    </StaleVersion>
  )
}
