import { type AnswerOf, formatBytes, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { FormResult } from '../components/form-result.tsx'
import { Form, textOf } from '../components/form.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { TextField } from '../components/text-field.tsx'
import { When } from '../components/when.tsx'
import { LiveTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/live-apps')

type LiveApp = AnswerOf<typeof operations.listLiveApps>['live_apps'][number]

/** The running programs of a project that tell how they are doing. */
export function ProjectLiveAppsPage() {
  const { projectId } = route.useParams()
  const mayChange = useMayInProject(projectId, 'member')
  const query = useAnswer(operations.listLiveApps, { project_id: projectId }, { pollWhile: () => true })
  return (
    <ProjectPage
      projectId={projectId}
      section="live-apps"
      title="Live apps"
      lead="Running programs that tell where their time and memory go"
      actions={mayChange ? <NewLiveApp projectId={projectId} /> : undefined}
    >
      <LiveTabs projectId={projectId} current="live-apps" />
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ live_apps: apps }) =>
          apps.length === 0 ? (
            <EmptyState title="No live apps yet">
              <p>
                A program pushes its timings, queues and memory: through a bridge beside it, with the library
                for Node.js, or with OpenTelemetry. An agent makes one with register_live_app.
              </p>
            </EmptyState>
          ) : (
            <LiveAppTable rows={apps} />
          )
        }
      </Answer>
    </ProjectPage>
  )
}

const tones: Record<LiveApp['state'], Tone> = { live: 'better', waiting: 'caution', ended: 'plain' }

function LiveAppTable({ rows }: { rows: readonly LiveApp[] }) {
  return (
    <DataTable
      label="Live apps"
      rows={rows}
      rowKey={({ id }) => id}
      stacks
      whenEmpty=""
      columns={[
        {
          key: 'name',
          title: 'Live app',
          grow: true,
          sortBy: ({ name }) => name.toLowerCase(),
          render: ({ id, name }) => (
            <Link
              to="/live-apps/$liveAppId"
              params={{ liveAppId: id }}
              className="row-link block truncate font-medium"
            >
              {name}
            </Link>
          ),
        },
        {
          key: 'state',
          title: 'State',
          sortBy: ({ state }) => state,
          render: ({ state }) => <Badge tone={tones[state]}>{state}</Badge>,
        },
        {
          key: 'program',
          title: 'Program',
          hideBelow: 'sm',
          render: ({ process }) => (
            <span className="block max-w-80 truncate whitespace-nowrap">
              {[process?.program, process?.runtime, process?.host].filter((word) => word != null).join(', ')}
            </span>
          ),
        },
        {
          key: 'source',
          title: 'Measured by',
          hideBelow: 'lg',
          render: ({ process }) => process?.source ?? '',
        },
        {
          key: 'size',
          title: 'Kept',
          align: 'right',
          hideBelow: 'sm',
          sortBy: ({ size_bytes: bytes }) => bytes,
          render: ({ size_bytes: bytes }) => formatBytes(bytes),
        },
        {
          key: 'pushed',
          title: 'Last push',
          align: 'right',
          sortBy: ({ last_push_at: at }) => at,
          render: ({ last_push_at: at }) =>
            at === null ? <span className="text-muted">never</span> : <When at={at} />,
        },
      ]}
    />
  )
}

function NewLiveApp({ projectId }: { projectId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" onPress={() => setOpen(true)}>
        <PlusIcon />
        New live app
      </Button>
      {isOpen ? (
        <Dialog title="New live app" isOpen wide onClose={() => setOpen(false)}>
          <LiveAppForm projectId={projectId} onDone={() => setOpen(false)} />
        </Dialog>
      ) : null}
    </>
  )
}

const settingsText = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

function LiveAppForm({ projectId, onDone }: { projectId: string; onDone: () => void }) {
  const call = useCall(operations.registerLiveApp, [operations.listLiveApps, operations.listApiTokens])
  if (call.data !== undefined) {
    const { data } = call
    return (
      <FormResult onDone={onDone}>
        <p>
          The token is in each of them, and is shown this once. It can push to this app, and do nothing else.
        </p>
        <CopyField label="Beside a program with hotpath-rs" value={data.hotpath_command} />
        <CopyField
          label="Of a Node.js program with @flamegate/profiler"
          value={settingsText(data.node_environment)}
        />
        <CopyField label="Of a program with OpenTelemetry" value={settingsText(data.otlp_environment)} />
        <CopyField label="Of what Prometheus would scrape" value={data.prometheus_command} />
      </FormResult>
    )
  }
  return (
    <Form
      error={call.error}
      fields={['name']}
      onSubmit={(values) => call.mutate({ project_id: projectId, name: textOf(values, 'name') })}
    >
      <TextField label="Name" name="name" maxLength={100} />
      <FormButtons action="Create" isDisabled={call.isPending} onCancel={onDone} />
    </Form>
  )
}
