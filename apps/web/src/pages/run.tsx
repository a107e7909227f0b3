import { type AnswerOf, formatQuantity, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { BenchmarkName } from '../components/benchmark-name.tsx'
import { buttonClass } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { EnvironmentFacts } from '../components/environment-facts.tsx'
import { Facts } from '../components/facts.tsx'
import { FlameLink } from '../components/flame-link.tsx'
import { ProfileTable } from '../components/profile-table.tsx'
import { RunStatus } from '../components/run-status.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonBlock, SkeletonLine, SkeletonTable } from '../components/skeleton.tsx'
import { Warnings } from '../components/warnings.tsx'
import { When } from '../components/when.tsx'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/runs/$runId')

type RunAnswer = AnswerOf<typeof operations.getRun>

/** One run: what was measured, where, and every result. */
export function RunPage() {
  const { runId } = route.useParams()
  const query = useAnswer(
    operations.getRun,
    { run_id: runId, limit: 5000 },
    { pollWhile: ({ run }) => run.status === 'PENDING' },
  )
  const run = query.data?.run
  const firstLine = run?.commit_message.split('\n')[0] ?? ''
  const title = run === undefined ? 'Run' : firstLine || `Run of ${run.branch}`
  return (
    <ProjectPage
      projectId={run?.project_id ?? (query.error === null ? undefined : null)}
      section="runs"
      title={title}
      heading={run === undefined && query.error === null ? <SkeletonLine width="20rem" /> : title}
      actions={
        run === undefined ? undefined : (
          <Link
            to="/compare"
            search={{ base: 'baseline', head: run.id, project: run.project_id }}
            className={buttonClass('primary')}
          >
            Compare with baseline
          </Link>
        )
      }
    >
      <Answer query={query} skeleton={<RunSkeleton />}>
        {(answer) => <RunDetails answer={answer} />}
      </Answer>
    </ProjectPage>
  )
}

function RunDetails({ answer }: { answer: RunAnswer }) {
  const { run } = answer
  return (
    <div className="flex flex-col gap-8">
      <Facts
        entries={{
          Status: <RunStatus status={run.status} />,
          Branch: run.branch,
          Commit: <code className="break-all">{run.commit_hash.slice(0, 12)}</code>,
          Event: run.pull_request === null ? run.event : `${run.event} #${run.pull_request}`,
          'Read as': run.adapter,
          Recorded: <When at={run.created_at} />,
          Committed: run.committed_at === null ? null : <When at={run.committed_at} />,
          Tags: run.tags.join(', '),
        }}
      />
      <Warnings warnings={run.warnings} />
      <Results answer={answer} />
      <RunProfiles projectId={run.project_id} runId={run.id} />
      <EnvironmentFacts environment={run.environment} />
    </div>
  )
}

function Results({ answer: { run, results, omitted_result_count } }: { answer: RunAnswer }) {
  const [words, setWords] = useState('')
  const shown = useMemo(() => {
    const search = words.trim().toLowerCase()
    return results.filter(({ uri }) => uri.toLowerCase().includes(search))
  }, [results, words])
  return (
    <Section
      title="Results"
      aside={
        results.length > 5 ? (
          <SearchField label="Find a benchmark" value={words} onChange={setWords} className="w-64" />
        ) : undefined
      }
    >
      <DataTable
        label="Results"
        rows={shown}
        rowKey={(row) => row.uri}
        whenEmpty={whenNoResults(run.status, words)}
        columns={[
          {
            key: 'benchmark',
            title: 'Benchmark',
            grow: true,
            sortBy: (row) => row.uri.toLowerCase(),
            render: (row) => (
              <Link
                to="/benchmarks/$benchmarkId"
                params={{ benchmarkId: row.benchmark_id }}
                search={{ run: run.id }}
                className="row-link block"
              >
                <BenchmarkName name={row.name} uri={row.uri} />
              </Link>
            ),
          },
          { key: 'instrument', title: 'Instrument', hideBelow: 'lg', render: (row) => row.instrument },
          {
            key: 'profile',
            title: 'Flame graph',
            hideBelow: 'sm',
            sortBy: (row) => Number(row.has_profile),
            render: (row) =>
              row.has_profile ? (
                <FlameLink label="open" runId={run.id} benchmark={row.uri} name={row.name} />
              ) : null,
          },
          {
            key: 'value',
            title: 'Value',
            align: 'right',
            sortBy: (row) => row.value,
            render: (row) => formatQuantity(row.value, row.unit),
          },
        ]}
      />
      {omitted_result_count > 0 ? (
        <p className="text-muted">{omitted_result_count.toLocaleString()} more results are not shown here.</p>
      ) : null}
    </Section>
  )
}

function whenNoResults(status: RunAnswer['run']['status'], words: string): string {
  if (words.trim() !== '') return `No benchmark fits “${words.trim()}”.`
  if (status === 'PENDING')
    return 'The results are being read. This page shows them as soon as they are there.'
  return status === 'FAILURE'
    ? 'The results could not be read; the warnings say why.'
    : 'This run has no results.'
}

function RunProfiles({ projectId, runId }: { projectId: string; runId: string }) {
  const query = useAnswer(operations.listProfiles, { project_id: projectId, run_id: runId, limit: 100 })
  return (
    <Section title="Profiles">
      <Answer query={query} skeleton={<SkeletonTable rows={2} />}>
        {({ profiles }) => (
          <ProfileTable profiles={profiles} whenEmpty="No profile was uploaded for this run." />
        )}
      </Answer>
    </Section>
  )
}

function RunSkeleton() {
  return (
    <div className="flex flex-col gap-8">
      <SkeletonBlock height="6.5rem" />
      <SkeletonTable rows={6} />
    </div>
  )
}
