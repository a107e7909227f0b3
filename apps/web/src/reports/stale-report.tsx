import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { StaleVersion } from '../versions/stale-version.tsx'
import { VersionLines } from '../versions/version-lines.tsx'
import { ReportChanges } from './report-changes.tsx'

interface Props {
  reportId: string
  /** The version that the unsaved changes are made to. */
  version: number
  newest: number
  onApply: () => void
  onDiscard: () => void
}

/** The same for a report as for a scenario: somebody was first. */
export function StaleReport({ reportId, version, newest, ...choices }: Props) {
  const query = useAnswer(operations.listBenchReportVersions, {
    bench_report_id: reportId,
    compare: `${version}..${newest}`,
    limit: Math.min(100, newest - version),
  })
  return (
    <StaleVersion version={version} newest={newest} {...choices}>
      <Answer query={query} skeleton={<SkeletonBlock height="6rem" />}>
        {({ versions, changes, change_count }) => (
          <div className="flex flex-col gap-2">
            <VersionLines versions={versions} />
            <ReportChanges changes={changes ?? []} count={change_count ?? 0} />
          </div>
        )}
      </Answer>
    </StaleVersion>
  )
}
