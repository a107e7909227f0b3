import { type AnswerOf, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { buttonClass } from '../components/button.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { CheckIcon, WarningIcon } from '../components/icons.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { MarkdownView } from '../markdown/markdown-view.tsx'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/runs/$runId/report')

type Check = AnswerOf<typeof operations.checkRegression>

/** What the gate says of a run, as it is posted to a pull request. */
export function RunReportPage() {
  const { runId } = route.useParams()
  const { base } = route.useSearch()
  const query = useAnswer(operations.checkRegression, {
    run_id: runId,
    ...(base === undefined ? {} : { base_run_id: base }),
  })
  const head = query.data?.head
  return (
    <ProjectPage
      projectId={head?.project_id ?? (query.error === null ? undefined : null)}
      section="runs"
      title="Regression report"
      crumbs={
        head === undefined
          ? []
          : [{ label: `${head.branch} · ${head.commit_hash.slice(0, 9)}`, href: `/runs/${head.id}` }]
      }
      actions={
        head === undefined || query.data?.base == null ? undefined : (
          <Link
            to="/compare"
            search={{ base: query.data.base.id, head: head.id, project: head.project_id }}
            className={buttonClass('secondary')}
          >
            Compare in detail
          </Link>
        )
      }
    >
      <Answer query={query} skeleton={<SkeletonBlock height="24rem" />}>
        {(check) => <Report check={check} />}
      </Answer>
    </ProjectPage>
  )
}

function Report({ check }: { check: Check }) {
  return (
    <div className="flex flex-col gap-8">
      <p className="flex flex-wrap items-center gap-3 text-lg">
        <Badge tone={check.passed ? 'better' : 'worse'} icon={check.passed ? <CheckIcon /> : <WarningIcon />}>
          {check.passed ? 'passed' : 'failed'}
        </Badge>
        {counts(check)}
      </p>
      <article aria-label="The report" className="rounded-lg border border-line bg-surface p-4 sm:p-6">
        <MarkdownView text={check.report} />
      </article>
      <Section title="As markdown">
        <CopyField label="The report as markdown" hideLabel value={check.report.trimEnd()} />
      </Section>
    </div>
  )
}

function counts({ base, judged_count, failure_count, acknowledged_count, ignored_count }: Check): string {
  if (base === null) return 'There is no earlier run to judge this one against.'
  return [
    `${judged_count.toLocaleString()} judged`,
    `${failure_count.toLocaleString()} failing`,
    ...(acknowledged_count > 0 ? [`${acknowledged_count.toLocaleString()} accepted`] : []),
    ...(ignored_count > 0 ? [`${ignored_count.toLocaleString()} ignored`] : []),
  ].join(', ')
}
