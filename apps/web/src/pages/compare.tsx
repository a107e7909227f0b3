import { ApiProblem } from '@flamegate/client'
import { type AnswerOf, formatChangePercent, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { buttonClass } from '../components/button.tsx'
import { ComparedDialog } from '../components/compared-dialog.tsx'
import { ComparedTable } from '../components/compared-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { EnvironmentDifferences } from '../components/environment-differences.tsx'
import { nextStep } from '../components/next-step.ts'
import { RunPicker } from '../components/run-picker.tsx'
import type { Run } from '../components/run-table.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonBlock, SkeletonTable } from '../components/skeleton.tsx'
import { verdictLooks, verdictOrder } from '../components/verdict.tsx'
import { VerdictTiles } from '../components/verdict-tiles.tsx'
import { When } from '../components/when.tsx'
import { useFilterWords } from '../filter-words.ts'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/compare')

type Comparison = AnswerOf<typeof operations.compareRuns>

/** A run judged against another. */
export function ComparePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const base = search.base ?? 'baseline'
  const head = search.head ?? 'latest'
  const query = useAnswer(
    operations.compareRuns,
    {
      base_run_id: base,
      head_run_id: head,
      limit: 10_000,
      ...(search.project === undefined ? {} : { repository: search.project }),
    },
    { keepPrevious: true },
  )
  const projectId = search.project ?? query.data?.head.project_id
  const change = (part: Partial<typeof search>) =>
    void navigate({ search: { ...search, benchmark: '', explain: '', ...part } })
  const shownHead = query.data?.head
  return (
    <ProjectPage
      projectId={projectId ?? (query.error === null ? undefined : null)}
      section="compare"
      title="Compare runs"
      actions={
        shownHead === undefined ? undefined : (
          <Link
            to="/runs/$runId/report"
            params={{ runId: shownHead.id }}
            search={{ base }}
            className={buttonClass('secondary')}
          >
            Report for a pull request
          </Link>
        )
      }
    >
      {projectId === undefined ? null : (
        <div className="flex flex-wrap gap-4">
          <RunPicker
            label="Base"
            projectId={projectId}
            value={base}
            symbolic={{ id: 'baseline', label: 'Baseline: the run of the default branch before head' }}
            shown={query.data?.base}
            onChange={(id) => change({ base: id })}
          />
          <RunPicker
            label="Head"
            projectId={projectId}
            value={head}
            symbolic={{ id: 'latest', label: 'The latest run' }}
            shown={query.data?.head}
            onChange={(id) => change({ head: id })}
          />
        </div>
      )}
      {lacksRuns(query.error) && search.base === undefined && search.head === undefined ? (
        <NothingYet projectId={projectId} />
      ) : (
        <Answer query={query} skeleton={<CompareSkeleton />}>
          {(comparison) => <ComparisonView comparison={comparison} />}
        </Answer>
      )}
    </ProjectPage>
  )
}

function lacksRuns(error: Error | null): boolean {
  return error instanceof ApiProblem && error.code === 'run_not_found'
}

/** Where nobody chose the runs, that there are none is no mistake. */
function NothingYet({ projectId }: { projectId: string | undefined }) {
  return (
    <EmptyState title="Nothing to compare yet">
      <p>It takes a run, and one of the default branch before it. Both come with uploads.</p>
      {projectId === undefined ? null : (
        <Link to="/projects/$projectId/uploads" params={{ projectId }} className={buttonClass('primary')}>
          How to upload
        </Link>
      )}
    </EmptyState>
  )
}

function ComparisonView({ comparison }: { comparison: Comparison }) {
  const { base, head, summary, benchmarks, environment_differences, omitted_benchmark_count } = comparison
  const { search, verdict, sort, benchmark, explain } = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = (change: Partial<ReturnType<typeof route.useSearch>>, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false, replace })
  const { words, setWords, filter } = useFilterWords(search, (kept) => narrow({ search: kept }, true))
  const chosen = verdictOrder.find((name) => name === verdict)
  const rows = useMemo(() => {
    const part = filter.toLowerCase()
    return benchmarks.filter(
      (row) => (chosen === undefined || row.verdict === chosen) && row.uri.toLowerCase().includes(part),
    )
  }, [benchmarks, chosen, filter])
  const next = chosen === undefined ? undefined : nextStep(chosen)
  const opened = benchmarks.find((row) => row.benchmark_id === benchmark)
  return (
    <div className="flex flex-col gap-8">
      <EnvironmentDifferences differences={environment_differences} />
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-lg">
        <RunLink run={head} /> against <RunLink run={base} />
        {summary.geometric_mean_change_percent === null ? null : (
          <span className="text-muted">
            {formatChangePercent(summary.geometric_mean_change_percent)} on average (geometric mean)
          </span>
        )}
      </p>
      <Uncounted summary={summary} />
      <VerdictTiles
        summary={summary}
        chosen={chosen}
        onChoose={(verdictOrNone) => narrow({ verdict: verdictOrNone ?? '' })}
      />
      <Section
        title={chosen === undefined ? 'Benchmarks' : `Benchmarks: ${verdictLooks[chosen].words}`}
        aside={
          <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {rows.length === benchmarks.length ? null : (
              <output className="text-muted tabular-nums">
                {rows.length.toLocaleString()} of {benchmarks.length.toLocaleString()}
              </output>
            )}
            <SearchField label="Find a benchmark" value={words} onChange={setWords} className="w-64" />
          </span>
        }
      >
        {next === undefined ? null : <p className="max-w-prose text-muted">{next}</p>}
        <ComparedTable
          rows={rows}
          baseRunId={base.id}
          headRunId={head.id}
          sort={sort}
          onSort={(kept) => narrow({ sort: kept }, true)}
          whenEmpty={benchmarks.length === 0 ? 'Neither run has results.' : 'No benchmark fits.'}
        />
        {omitted_benchmark_count > 0 ? (
          <p className="text-muted">{omitted_benchmark_count.toLocaleString()} more are not shown here.</p>
        ) : null}
      </Section>
      {opened === undefined ? null : (
        <ComparedDialog
          key={opened.benchmark_id}
          row={opened}
          baseRunId={base.id}
          headRunId={head.id}
          explains={explain === 'yes'}
          onClose={() => narrow({ benchmark: '', explain: '' }, true)}
        />
      )}
    </div>
  )
}

/** What the verdicts leave out, or what somebody accepted; nothing where there is neither. */
function Uncounted({ summary: { ignored, acknowledged } }: { summary: Comparison['summary'] }) {
  const parts = [
    ...(acknowledged > 0 ? [`${acknowledged.toLocaleString()} of the regressed are accepted`] : []),
    ...(ignored > 0 ? [`${ignored.toLocaleString()} ignored benchmarks are not counted`] : []),
  ]
  return parts.length === 0 ? null : <p className="text-muted">{parts.join('; ')}.</p>
}

function RunLink({ run }: { run: Run }) {
  return (
    <span className="min-w-0">
      <Link to="/runs/$runId" params={{ runId: run.id }} className="text-link font-medium">
        {run.branch} · {run.commit_hash.slice(0, 9)}
      </Link>{' '}
      <span className="text-sm text-muted">
        <When at={run.created_at} />
      </span>
    </span>
  )
}

function CompareSkeleton() {
  return (
    <div className="flex flex-col gap-8">
      <SkeletonBlock height="1.75rem" />
      <SkeletonBlock height="5rem" />
      <SkeletonTable />
    </div>
  )
}
