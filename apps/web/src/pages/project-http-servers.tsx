import { operations, type AnswerOf } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { actionsColumn } from '../components/actions-column.tsx'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { TextField } from '../components/text-field.tsx'
import { EditDialog } from '../design/edit-dialog.tsx'
import { httpServerFields } from '../design/http-server-fields.ts'
import { useRestore } from '../design/use-restore.ts'
import { UsedBy } from '../design/used-by.tsx'
import { versionColumn } from '../design/version-column.tsx'
import { usePages } from '../paged.ts'
import { DesignTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/http-servers')

type Server = AnswerOf<typeof operations.listHttpServers>['http_servers'][number]

const outdates = [operations.listHttpServers, operations.sanityCheckVirtualUser]
const fields = () => httpServerFields

/** Servers that virtual users of a project send to. */
export function ProjectHttpServersPage() {
  const { projectId } = route.useParams()
  const mayChange = useMayInProject(projectId, 'member')
  const { query, more } = usePages(
    operations.listHttpServers,
    { project_id: projectId, limit: 100 },
    ({ http_servers, next_cursor }) => ({ rows: http_servers, nextCursor: next_cursor }),
  )
  const restore = useRestore(operations.restoreDesignObject, outdates)
  const [isNew, setNew] = useState(false)
  const [changed, setChanged] = useState<Pick<Server, 'id' | 'name'>>()
  const [deleted, setDeleted] = useState<Server>()
  return (
    <ProjectPage
      projectId={projectId}
      section="virtual-users"
      title="HTTP servers"
      lead="Where requests go: change the address once, for all virtual users"
      actions={
        mayChange ? (
          <Button variant="primary" onPress={() => setNew(true)}>
            <PlusIcon />
            New server
          </Button>
        ) : undefined
      }
    >
      <DesignTabs projectId={projectId} current="http-servers" />
      <Answer query={query} skeleton={<SkeletonTable rows={4} />}>
        {(servers) =>
          servers.length === 0 ? (
            <EmptyState title="No HTTP servers yet">
              <p>An import makes one for each host that it finds. Requests of a virtual user name one.</p>
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="HTTP servers"
                rows={servers}
                rowKey={({ id }) => id}
                stacks
                whenEmpty=""
                columns={[
                  {
                    key: 'name',
                    title: 'Name',
                    grow: true,
                    render: ({ name, base_url }) => (
                      <span className="block min-w-0">
                        <span className="block truncate font-medium">{name}</span>
                        <code className="block truncate text-sm text-muted">{base_url}</code>
                      </span>
                    ),
                  },
                  {
                    key: 'verified',
                    title: 'Target',
                    render: (server) => <Verified projectId={projectId} server={server} />,
                  },
                  {
                    key: 'authentication',
                    title: 'Authentication',
                    hideBelow: 'lg',
                    render: ({ authentication }) => authentication,
                  },
                  {
                    key: 'how',
                    title: 'How',
                    hideBelow: 'lg',
                    render: ({ http_version, verify_tls, header_names }) => (
                      <span className="flex flex-wrap gap-1">
                        <Badge>{http_version === 'h2' ? 'HTTP/2' : 'HTTP/1.1'}</Badge>
                        {verify_tls ? null : <Badge tone="caution">any certificate</Badge>}
                        {header_names.length === 0 ? null : (
                          <Badge>
                            {header_names.length === 1 ? '1 header' : `${header_names.length} headers`}
                          </Badge>
                        )}
                      </span>
                    ),
                  },
                  {
                    key: 'timeout',
                    title: 'Timeout',
                    align: 'right',
                    hideBelow: 'lg',
                    render: ({ timeout_ms }) => `${(timeout_ms / 1000).toLocaleString()} s`,
                  },
                  { key: 'used', title: 'Used by', render: ({ used_by }) => <UsedBy users={used_by} /> },
                  versionColumn,
                  ...(mayChange
                    ? [
                        actionsColumn((server: Server) => ({
                          of: server.name,
                          actions: [
                            { label: 'Change…', onAction: () => setChanged(server) },
                            { label: 'Delete…', onAction: () => setDeleted(server) },
                          ],
                        })),
                      ]
                    : []),
                ]}
              />
              <LoadMore {...more} />
            </>
          )
        }
      </Answer>
      {isNew ? (
        <NewServer
          projectId={projectId}
          onClose={() => setNew(false)}
          onCreated={(server) => {
            setNew(false)
            setChanged(server)
          }}
        />
      ) : null}
      {changed === undefined ? null : (
        <EditDialog
          objectId={changed.id}
          name={changed.name}
          fieldsOf={fields}
          outdates={outdates}
          onClose={() => setChanged(undefined)}
        />
      )}
      {deleted === undefined ? null : (
        <ConfirmCall
          title={`Delete ${deleted.name}?`}
          action="Delete"
          operation={operations.deleteHttpServer}
          input={{ http_server_id: deleted.id }}
          outdates={outdates}
          onDone={() => restore.offer({ object_id: deleted.id }, deleted.name)}
          onClose={() => setDeleted(undefined)}
        >
          Only a server that no request goes to can be deleted. It can be brought back.
        </ConfirmCall>
      )}
    </ProjectPage>
  )
}

function Verified({ projectId, server }: { projectId: string; server: Server }) {
  if (server.is_verified === true) return <Badge tone="better">verified</Badge>
  if (server.is_verified === null) return <Badge>by a variable</Badge>
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone="caution">not verified</Badge>
      <Link
        to="/projects/$projectId/targets"
        params={{ projectId }}
        search={{ host: URL.parse(server.base_url)?.host ?? '' }}
        aria-label={`Verify ${server.name}`}
        className="text-link"
      >
        Verify
      </Link>
    </span>
  )
}

interface NewProps {
  projectId: string
  onCreated: (server: Pick<Server, 'id' | 'name'>) => void
  onClose: () => void
}

/** Asks for what a server cannot be without; the rest comes with its form. */
function NewServer({ projectId, onCreated, onClose }: NewProps) {
  const call = useCall(operations.createHttpServer, outdates)
  return (
    <Dialog title="New HTTP server" isOpen onClose={onClose}>
      <Form
        error={call.error}
        fields={['name', 'base_url']}
        onSubmit={(values) =>
          call.mutate(
            { project_id: projectId, name: textOf(values, 'name'), base_url: textOf(values, 'base_url') },
            { onSuccess: ({ http_server }) => onCreated(http_server) },
          )
        }
      >
        <TextField label="Name" name="name" placeholder="shop" />
        <TextField
          label="Base URL"
          name="base_url"
          placeholder="https://shop.example.com"
          hint="Headers, authentication, TLS and timeouts come next."
        />
        <FormButtons action="Create" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
