import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import type { DocumentDraft } from '../documents/use-document-draft.ts'
import { StaleVersion } from '../versions/stale-version.tsx'
import { VersionLines } from '../versions/version-lines.tsx'
import { DocumentChanges } from '../versions/document-changes.tsx'

interface Props {
  reportId: string
  edited: DocumentDraft
}

/** The same for a report as for a scenario: somebody was first. */
export function StaleReport({ reportId, edited }: Props) {
  const { newest } = edited
  const { version } = edited.draft
  const query = useAnswer(operations.listBenchReportVersions, {
    bench_report_id: reportId,
    compare: `${version}..${newest}`,
    limit: Math.min(100, newest - version),
  })
  return (
    <StaleVersion edited={edited}>
      <Answer query={query} skeleton={<SkeletonBlock height="6rem" />}>
        {({ versions, changes, change_count }) => (
          <div className="flex flex-col gap-2">
            <VersionLines versions={versions} />
            <DocumentChanges changes={changes ?? []} count={change_count ?? 0} />
          </div>
        )}
      </Answer>
    </StaleVersion>
  )
}
