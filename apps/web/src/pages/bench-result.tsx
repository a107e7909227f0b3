import { type AnswerOf, operations } from '@flamegate/contract'
import { durationText } from '@flamegate/loadtest/scenario'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useAnswer } from '../api.ts'
import { AgentLogs } from '../bench-results/agent-logs.tsx'
import { BenchActions } from '../bench-results/bench-actions.tsx'
import { BenchCharts } from '../bench-results/bench-charts.tsx'
import { type BenchResult, BenchState, isOver } from '../bench-results/bench-state.tsx'
import { BenchTiles } from '../bench-results/bench-tiles.tsx'
import { ErrorTable } from '../bench-results/error-table.tsx'
import { EventList } from '../bench-results/event-list.tsx'
import { ResultFiles } from '../bench-results/result-files.tsx'
import { ResultTable } from '../bench-results/result-table.tsx'
import { ShardTable } from '../bench-results/shard-table.tsx'
import { SlaResults } from '../bench-results/sla-results.tsx'
import { StopBench } from '../bench-results/stop-bench.tsx'
import { ThresholdResults } from '../bench-results/threshold-results.tsx'
import { PercentileCurve, TimeHistogram } from '../bench-results/time-distribution.tsx'
import { TimeSpanBar } from '../bench-results/time-span-bar.tsx'
import { readTimeSpan } from '../bench-results/time-span.ts'
import { WaitingForAgents } from '../bench-results/waiting-for-agents.tsx'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Caution } from '../components/caution.tsx'
import { ProgressBar } from '../components/progress-bar.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonBlock, SkeletonTable } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { useNews } from '../live/use-news.ts'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/projects/$projectId/bench-results/$benchResultId')

type Result = AnswerOf<typeof operations.getBenchResult>

/** A load test: live while it runs, and what was measured in it. */
export function BenchResultPage() {
  const { projectId, benchResultId } = route.useParams()
  const query = useAnswer(
    operations.getBenchResult,
    { bench_result_id: benchResultId },
    { pollWhile: ({ next_poll_seconds }) => next_poll_seconds !== null, isLive: true },
  )
  const run = query.data?.bench_result
  useNews(run === undefined || isOver(run) ? undefined : `/v1/bench-results/${run.id}/events`)
  useOutdatedAtEnd(run)
  return (
    <ProjectPage
      projectId={run?.project_id ?? projectId}
      section="bench-results"
      title={run?.name ?? 'Load test'}
      crumbs={[{ label: 'Load tests', href: `/projects/${projectId}/bench-results` }]}
      lead={run === undefined ? undefined : <Lead run={run} />}
      actions={
        run === undefined ? undefined : (
          <>
            <StopBench run={run} />
            <BenchActions run={run} />
          </>
        )
      }
    >
      <Answer query={query} skeleton={<SkeletonBlock height="12rem" />}>
        {(result) => <Sections result={result} />}
      </Answer>
    </ProjectPage>
  )
}

/** Asks once more for what was asked for while it ran, when it has ended. */
function useOutdatedAtEnd(run: BenchResult | undefined): void {
  const queries = useQueryClient()
  const wasSeenRunning = useRef(false)
  const hasEnded = run === undefined ? undefined : isOver(run)
  useEffect(() => {
    if (hasEnded === false) wasSeenRunning.current = true
    if (hasEnded !== true || !wasSeenRunning.current) return
    wasSeenRunning.current = false
    for (const { id } of [operations.getBenchSeries, operations.getBenchTable, operations.listBenchResults])
      void queries.invalidateQueries({ queryKey: [id] })
  }, [hasEnded, queries])
}

function Lead({ run }: { run: BenchResult }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <BenchState {...run} />
      {run.is_baseline ? <Badge tone="accent">baseline</Badge> : null}
      {run.tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
      {run.scenario_id === null ? null : (
        <span>
          <Link to="/scenarios/$scenarioId" params={{ scenarioId: run.scenario_id }} className="text-link">
            Scenario, version {run.scenario_version}
          </Link>
        </span>
      )}
      <span>
        {durationText(run.duration_ms)}, started <When at={run.started_at ?? run.created_at} />
      </span>
    </span>
  )
}

function Sections({ result }: { result: Result }) {
  const { bench_result: run, numbers, thresholds, sla, shards, events } = result
  const isLive = !isOver(run)
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-col gap-4">
        <Progress run={run} />
        {isLive ? <WaitingForAgents projectId={run.project_id} shards={shards} /> : null}
        {run.is_degraded ? (
          <Caution>An agent was lost: from then on there was less load than was asked for.</Caution>
        ) : null}
        {numbers === null ? null : <BenchTiles numbers={numbers} isLive={isLive} />}
      </div>
      <ThresholdResults thresholds={thresholds} />
      <SlaResults verdicts={sla} />
      {run.started_at === null ? null : <Measured run={run} isLive={isLive} />}
      <div className="grid items-start gap-8 xl:grid-cols-2">
        <Agents benchResultId={run.id} shards={shards} projectId={run.project_id} isLive={isLive} />
        <Section title="Events">
          <EventList events={events} />
        </Section>
      </div>
      {isLive ? null : <ResultFiles run={run} />}
    </div>
  )
}

function Progress({ run }: { run: BenchResult }) {
  const { state, message, progress, duration_ms: durationMs } = run
  const passed = durationText(Math.floor((progress * durationMs) / 1000) * 1000)
  return (
    <div className="flex flex-col gap-2">
      {message === '' ? null : <output className="block text-lg break-words">{message}</output>}
      {isOver(run) ? null : (
        <ProgressBar
          label={state === 'RUNNING' ? `${passed} of ${durationText(durationMs)}` : 'Not begun'}
          percent={100 * progress}
        />
      )}
    </div>
  )
}

function Measured({ run, isLive }: { run: BenchResult; isLive: boolean }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: typeof search) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false })
  const span = readTimeSpan(search.from, search.to)
  const choose = (from: number, to: number | undefined) =>
    change({ from: String(from), to: to === undefined ? '' : String(to) })
  const query = useAnswer(
    operations.getBenchTable,
    { bench_result_id: run.id, ...span },
    { keepPrevious: true, pollWhile: () => isLive, isLive },
  )
  return (
    <>
      <Section
        title="Over time"
        aside={
          <TimeSpanBar
            span={span}
            onChange={(next) =>
              next === undefined ? change({ from: '', to: '' }) : choose(next.from, next.to)
            }
          />
        }
      >
        <BenchCharts benchResultId={run.id} isLive={isLive} span={span} onSelect={choose} />
      </Section>
      <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
        {(table) => (
          <div className="flex flex-col gap-8">
            <Section title="Results">
              <ResultTable
                rows={table.rows}
                total={table.total}
                sort={search.sort}
                onSort={(sort) => change({ sort })}
              />
            </Section>
            {table.total === null ? null : (
              <div className="grid gap-4 xl:grid-cols-2">
                <TimeHistogram distribution={table.distribution} />
                <PercentileCurve percentiles={table.percentiles} total={table.total} />
              </div>
            )}
            <Section title="Errors">
              <ErrorTable
                errors={table.errors}
                samples={table.samples}
                chosen={search.sample}
                onChoose={(sample) => change({ sample: sample ?? '' })}
              />
            </Section>
          </div>
        )}
      </Answer>
    </>
  )
}

interface AgentsProps {
  benchResultId: string
  shards: Result['shards']
  projectId: string
  isLive: boolean
}

function Agents({ benchResultId, shards, projectId, isLive }: AgentsProps) {
  const workspaceId = useAnswer(operations.getProject, { project_id: projectId }).data?.project.workspace_id
  const generators = useAnswer(
    operations.listLoadGenerators,
    { workspace_id: workspaceId ?? '' },
    {
      enabled: workspaceId !== undefined,
      // One may have come since.
      pollWhile: ({ load_generators: known }) =>
        isLive && shards.some((shard) => !known.some(({ id }) => id === shard.load_generator_id)),
    },
  ).data?.load_generators
  return (
    <Section
      title="Agents"
      aside={
        workspaceId === undefined ? null : (
          <Link to="/workspaces/$workspaceId/load-generators" params={{ workspaceId }} className="text-link">
            All load generators
          </Link>
        )
      }
    >
      <ShardTable shards={shards} names={new Map(generators?.map(({ id, name }) => [id, name]))} />
      <AgentLogs benchResultId={benchResultId} isLive={isLive} />
    </Section>
  )
}
