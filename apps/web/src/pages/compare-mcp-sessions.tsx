import { type AnswerOf, formatBytes, formatChangePercent, formatMs, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { Warnings } from '../components/warnings.tsx'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/mcp-targets/$mcpTargetId/compare')

type Comparison = AnswerOf<typeof operations.compareMcpSessions>
type Metric = Comparison['overall'][number]

const tones: Record<Metric['verdict'], Tone> = {
  better: 'better',
  worse: 'worse',
  same: 'plain',
  cannot_tell: 'caution',
  not_judged: 'plain',
}

/** Two measurements of an MCP server beside each other: what changed, and how sure that is. */
export function CompareMcpSessionsPage() {
  const { mcpTargetId } = route.useParams()
  const { base, head } = route.useSearch()
  const query = useAnswer(operations.compareMcpSessions, {
    mcp_target_id: mcpTargetId,
    ...(base === undefined ? {} : { base }),
    ...(head === undefined ? {} : { head }),
  })
  const { data } = query
  return (
    <ProjectPage
      projectId={data?.project_id ?? (query.error === null ? undefined : null)}
      section="live-apps"
      title="Compare sessions"
      crumbs={
        data === undefined
          ? []
          : [
              { label: 'MCP servers', href: `/projects/${data.project_id}/mcp-servers` },
              { label: data.target, href: `/mcp-targets/${mcpTargetId}` },
            ]
      }
    >
      <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
        {(comparison) => <Compared comparison={comparison} />}
      </Answer>
    </ProjectPage>
  )
}

function Compared({ comparison }: { comparison: Comparison }) {
  const { base, head, summary, overall, operations: compared, notes } = comparison
  const differences = comparison.environment_differences.map(
    (each) => `${each.key}: ${each.base} → ${each.head}. ${each.reason}`,
  )
  const rows = [
    ...compared.flatMap(({ method, name, metrics }) =>
      metrics.map((metric) => ({ of: name ?? method, ...metric })),
    ),
    ...overall.map((metric) => ({ of: 'The server', ...metric })),
  ]
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <p>
        <Side side={base} /> → <Side side={head} />
      </p>
      <p className="text-lg font-semibold">{summary}</p>
      <Warnings warnings={[...differences, ...notes]} />
      <Section title="Metrics">
        <DataTable
          label="Metrics"
          rows={rows}
          rowKey={({ of, metric }) => `${of} ${metric}`}
          stacks
          whenEmpty="Nothing was measured on both sides."
          columns={[
            { key: 'of', title: 'Of', grow: true, sortBy: ({ of }) => of, render: ({ of }) => of },
            {
              key: 'metric',
              title: 'Metric',
              sortBy: ({ metric }) => metric,
              render: ({ metric }) => metric,
            },
            number('Base', ({ base: value }) => value),
            number('Head', ({ head: value }) => value),
            {
              key: 'change',
              title: 'Change',
              align: 'right',
              sortBy: ({ change_percent: change }) => change,
              render: ({ change_percent: change }) => (change === null ? '–' : formatChangePercent(change)),
            },
            {
              key: 'interval',
              title: 'Interval',
              align: 'right',
              hideBelow: 'sm',
              render: ({ low_percent: low, high_percent: high }) =>
                low === null || high === null
                  ? '–'
                  : `${formatChangePercent(low)} to ${formatChangePercent(high)}`,
            },
            {
              key: 'verdict',
              title: 'Verdict',
              sortBy: ({ verdict }) => verdict,
              render: ({ verdict }) => <Badge tone={tones[verdict]}>{verdict.replaceAll('_', ' ')}</Badge>,
            },
          ]}
        />
      </Section>
    </div>
  )
}

function Side({ side }: { side: Comparison['base'] }) {
  return (
    <Link
      to="/mcp-sessions/$mcpSessionId"
      params={{ mcpSessionId: side.session_id }}
      className="font-medium underline"
    >
      {side.command} {side.label ?? side.started_at}
    </Link>
  )
}

function number(title: string, of: (row: Metric) => number | null) {
  return {
    key: title,
    title,
    align: 'right' as const,
    render: (row: Metric) => {
      const value = of(row)
      if (value === null) return '–'
      if (row.metric.endsWith('ms')) return formatMs(value)
      return /bytes/i.test(row.metric)
        ? formatBytes(value)
        : Number(value.toPrecision(4)).toLocaleString('en-US')
    },
  }
}
