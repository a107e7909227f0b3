import { type McpTargetShape, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { TextField } from '../components/text-field.tsx'
import { When } from '../components/when.tsx'
import { figureColumnsOf } from '../mcp-servers/figure-columns.tsx'
import { LiveTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/mcp-servers')

/** The MCP servers of a project that are measured. */
export function ProjectMcpServersPage() {
  const { projectId } = route.useParams()
  const mayChange = useMayInProject(projectId, 'member')
  const query = useAnswer(
    operations.listMcpTargets,
    { project_id: projectId },
    { pollWhile: () => true, pollEveryMs: 10_000 },
  )
  return (
    <ProjectPage
      projectId={projectId}
      section="live-apps"
      title="MCP servers"
      lead="How fast they answer, where their time and memory go, and whether they got worse"
      actions={mayChange ? <NewTarget projectId={projectId} /> : undefined}
    >
      <LiveTabs projectId={projectId} current="mcp-servers" />
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ mcp_targets: targets }) =>
          targets.length === 0 ? (
            <EmptyState title="No MCP servers yet">
              <p>Measure one where it runs; its report comes here, and the server is added by it:</p>
              <CopyField
                label="Measure a server and upload the report"
                hideLabel
                value={`mcp-profiler load-test --project ${projectId} -- node server.js`}
              />
            </EmptyState>
          ) : (
            <TargetTable targets={targets} />
          )
        }
      </Answer>
    </ProjectPage>
  )
}

function TargetTable({ targets }: { targets: readonly McpTargetShape[] }) {
  return (
    <DataTable
      label="MCP servers"
      rows={targets}
      rowKey={({ id }) => id}
      stacks
      whenEmpty=""
      columns={[
        {
          key: 'name',
          title: 'MCP server',
          grow: true,
          sortBy: ({ name }) => name.toLowerCase(),
          render: ({ id, name, address, alerts }) => (
            <Link
              to="/mcp-targets/$mcpTargetId"
              params={{ mcpTargetId: id }}
              className="row-link block min-w-40"
            >
              <span className="block truncate font-medium">
                {name}{' '}
                {alerts === 0 ? null : (
                  <Badge tone="worse">{alerts === 1 ? '1 alert' : `${alerts} alerts`}</Badge>
                )}
              </span>
              {address === null ? null : (
                <span className="block max-w-80 truncate text-sm text-muted">{address}</span>
              )}
            </Link>
          ),
        },
        ...figureColumnsOf<McpTargetShape>(({ last_session: last }) => last?.figures ?? null),
        {
          key: 'measured',
          title: 'Measured',
          align: 'right',
          sortBy: ({ last_session: last }) => last?.started_at ?? null,
          render: ({ last_session: last }) =>
            last === null ? <span className="text-muted">never</span> : <When at={last.started_at} />,
        },
      ]}
    />
  )
}

function NewTarget({ projectId }: { projectId: string }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = route.useNavigate()
  const call = useCall(operations.registerMcpTarget, [operations.listMcpTargets])
  const register = (values: FormData) => {
    const address = textOf(values, 'address')
    const called = textOf(values, 'operations')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
    call.mutate(
      {
        project_id: projectId,
        name: textOf(values, 'name'),
        operations: called,
        ...(address === '' ? {} : { address }),
      },
      {
        onSuccess: ({ mcp_target: { id } }) =>
          void navigate({ to: '/mcp-targets/$mcpTargetId', params: { mcpTargetId: id } }),
      },
    )
  }
  return (
    <>
      <Button variant="primary" onPress={() => setOpen(true)}>
        <PlusIcon />
        Add an MCP server
      </Button>
      {isOpen ? (
        <Dialog title="Add an MCP server" isOpen onClose={() => setOpen(false)}>
          <Form error={call.error} fields={['name', 'address', 'operations']} onSubmit={register}>
            <TextField
              label="Name"
              name="name"
              hint="The one that it has in the file of a collector or in mcp-profiler.config.json"
            />
            <TextField label="Address" name="address" hint="URL or command; no secrets" />
            <TextField
              label="Tools to call"
              name="operations"
              hint="With commas between; left empty: those that say that they only read"
            />
            <FormButtons action="Add" isDisabled={call.isPending} onCancel={() => setOpen(false)} />
          </Form>
        </Dialog>
      ) : null}
    </>
  )
}
