import { type AnswerOf, operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'

type Collector = AnswerOf<typeof operations.listCollectors>['collectors'][number]

/** The collectors that take profiles for a project, and how to start one. */
export function CollectorsSection({ projectId }: { projectId: string }) {
  const query = useAnswer(operations.listCollectors, { project_id: projectId })
  return (
    <Section title="Collectors">
      <p className="max-w-prose text-muted">
        A collector runs beside your programs and takes the profiles that are asked for here. It connects from
        there, and runs what its own file allows and nothing else.
      </p>
      <Answer query={query} skeleton={<SkeletonTable rows={1} />}>
        {({ collectors }) => (
          <DataTable
            label="Collectors"
            rows={collectors}
            rowKey={({ id }) => id}
            stacks
            whenEmpty="No collector was here within the last week."
            columns={[
              {
                key: 'name',
                title: 'Name',
                sortBy: ({ name }) => name.toLowerCase(),
                render: ({ name, version }) => (
                  <span className="block truncate">
                    <span className="font-medium">{name}</span> <span className="text-muted">{version}</span>
                  </span>
                ),
              },
              { key: 'state', title: 'State', render: (collector) => <State collector={collector} /> },
              {
                key: 'captures',
                title: 'May run',
                grow: true,
                render: ({ captures }) => (
                  <span className="block whitespace-normal break-words">
                    {captures.map(words).join('; ')}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Answer>
      <CopyField
        label="Start one with"
        value={[
          `export FLAMEGATE_URL=${window.location.origin} FLAMEGATE_TOKEN=…`,
          `flamegate agent --collect collect.json --repository ${projectId}`,
        ].join('\n')}
      />
    </Section>
  )
}

function State({ collector }: { collector: Collector }) {
  return collector.is_connected ? (
    <Badge tone="better">connected</Badge>
  ) : (
    <span className="whitespace-nowrap text-muted">
      last seen <When at={collector.last_seen_at} />
    </span>
  )
}

function words({ name, kind, types, seconds_max, description }: Collector['captures'][number]): string {
  const what = `${name}: ${types.join(', ')} by ${kind}, ${seconds_max} s at most`
  return description === undefined ? what : `${what} (${description})`
}
