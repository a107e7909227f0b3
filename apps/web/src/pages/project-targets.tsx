import { operations, type AnswerOf } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { FormResult } from '../components/form-result.tsx'
import { Form, textOf } from '../components/form.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { MoreActions } from '../components/more-actions.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { SkeletonBlock, SkeletonTable } from '../components/skeleton.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { DesignTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/targets')

type Target = AnswerOf<typeof operations.listTargets>['targets'][number]
type Verification = AnswerOf<typeof operations.verifyTarget>

const outdates = [operations.listTargets, operations.listHttpServers]

/** Hosts that a project may aim virtual users at, and how to prove that it may. The address may name one to add. */
export function ProjectTargetsPage() {
  const { projectId } = route.useParams()
  const { host } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMayInProject(projectId, 'member')
  const query = useAnswer(operations.listTargets, { project_id: projectId })
  const [isNew, setNew] = useState(false)
  const [shown, setShown] = useState<Target>()
  const [deleted, setDeleted] = useState<Target>()
  return (
    <ProjectPage
      projectId={projectId}
      section="virtual-users"
      title="Targets"
      lead="Hosts that virtual users may send requests to"
      actions={
        mayChange ? (
          <Button variant="primary" onPress={() => setNew(true)}>
            <PlusIcon />
            Add a host
          </Button>
        ) : undefined
      }
    >
      <DesignTabs projectId={projectId} current="targets" />
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ targets }) =>
          targets.length === 0 ? (
            <EmptyState title="No targets yet">
              <p>
                A load test must not hit somebody who did not ask for it. So whoever runs a host proves it
                once, with a file or a DNS record. Hosts that this installation allows need no proof.
              </p>
            </EmptyState>
          ) : (
            <DataTable
              label="Targets"
              rows={targets}
              rowKey={({ id }) => id}
              stacks
              whenEmpty=""
              columns={[
                {
                  key: 'host',
                  title: 'Host',
                  grow: true,
                  render: ({ host: name, failure }) => (
                    <span className="block min-w-0">
                      <code className="block truncate font-medium">{name}</code>
                      {failure === null ? null : (
                        <span className="line-clamp-2 text-sm text-muted">{failure}</span>
                      )}
                    </span>
                  ),
                },
                {
                  key: 'verified',
                  title: 'State',
                  render: ({ is_verified, method }) =>
                    is_verified ? (
                      <Badge tone="better">verified by {method === 'dns' ? 'DNS' : 'a file'}</Badge>
                    ) : (
                      <Badge tone="caution">not verified</Badge>
                    ),
                },
                {
                  key: 'checked',
                  title: 'Last look',
                  hideBelow: 'sm',
                  render: ({ checked_at }) =>
                    checked_at === null ? (
                      <span className="text-muted">never</span>
                    ) : (
                      <When at={checked_at} />
                    ),
                },
                ...(mayChange
                  ? [
                      {
                        key: 'actions',
                        title: 'Actions',
                        align: 'right' as const,
                        render: (target: Target) => (
                          <span className="inline-flex items-center gap-2">
                            <Button
                              aria-label={`${target.is_verified ? 'Check again' : 'Prove it…'}: ${target.host}`}
                              onPress={() => setShown(target)}
                            >
                              {target.is_verified ? 'Check again' : 'Prove it…'}
                            </Button>
                            <MoreActions
                              of={target.host}
                              actions={[{ label: 'Remove…', onAction: () => setDeleted(target) }]}
                            />
                          </span>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          )
        }
      </Answer>
      {mayChange && (isNew || host !== undefined) ? (
        <AddHost
          projectId={projectId}
          start={host ?? ''}
          onClose={() => {
            setNew(false)
            if (host !== undefined) void navigate({ search: {}, replace: true })
          }}
        />
      ) : null}
      {shown === undefined ? null : (
        <Dialog title={`Prove ${shown.host}`} isOpen onClose={() => setShown(undefined)} wide>
          <Check projectId={projectId} host={shown.host} onClose={() => setShown(undefined)} />
        </Dialog>
      )}
      {deleted === undefined ? null : (
        <ConfirmCall
          title={`Delete ${deleted.host}?`}
          action="Delete"
          operation={operations.deleteTarget}
          input={{ target_id: deleted.id }}
          outdates={outdates}
          onDone={() => say(`${deleted.host} is no target any more.`)}
          onClose={() => setDeleted(undefined)}
        >
          Nothing is sent there any more. To have it again is to prove it again, with another token.
        </ConfirmCall>
      )}
    </ProjectPage>
  )
}

interface AddProps {
  projectId: string
  /** What the field begins with. */
  start: string
  onClose: () => void
}

function AddHost({ projectId, start, onClose }: AddProps) {
  const call = useCall(operations.verifyTarget, outdates)
  if (call.data !== undefined) {
    return (
      <Dialog title={`Prove ${call.data.target?.host ?? 'the host'}`} isOpen onClose={onClose} wide>
        <Proof projectId={projectId} found={call.data} onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title="Add a host" isOpen onClose={onClose}>
      <Form
        error={call.error}
        fields={['host']}
        onSubmit={(values) => call.mutate({ project_id: projectId, host: textOf(values, 'host').trim() })}
      >
        <TextField
          label="Host"
          name="host"
          defaultValue={start}
          placeholder="shop.example.com"
          hint="Perhaps with a port. *.example.com covers all hosts under it, and is proved by DNS."
        />
        <FormButtons action="Go on" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

interface CheckProps {
  projectId: string
  host: string
  onClose: () => void
}

/** Looks for the token of a host that is known, and tells what was found. */
function Check({ projectId, host, onClose }: CheckProps) {
  const call = useCall(operations.verifyTarget, outdates)
  const look = () => call.mutate({ project_id: projectId, host })
  if (call.data !== undefined) return <Proof projectId={projectId} found={call.data} onClose={onClose} />
  return (
    <div className="flex flex-col gap-4">
      {call.error === null ? null : <ProblemNote error={call.error} />}
      {call.isPending ? <SkeletonBlock height="12rem" /> : null}
      <p className="text-muted">
        This looks for the token at {host}, and shows where it has to be if it is not there.
      </p>
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="primary" isDisabled={call.isPending} onPress={look}>
          {call.isPending ? 'Looking…' : 'Look now'}
        </Button>
      </div>
    </div>
  )
}

interface ProofProps {
  projectId: string
  found: Verification
  onClose: () => void
}

function Proof({ projectId, found, onClose }: ProofProps) {
  const call = useCall(operations.verifyTarget, outdates)
  const { target, proof } = call.data ?? found
  if (target === null || proof === null || target.is_verified) {
    return (
      <FormResult onDone={onClose}>
        <p className="rounded-md bg-better-soft px-3 py-2">
          {target === null
            ? 'This installation allows the host: there is nothing to prove.'
            : `${target.host} is verified.`}
        </p>
      </FormResult>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        Let whoever runs {target.host} put this token in one of these places. One is enough.
      </p>
      <CopyField label="Token" value={proof.token} />
      {proof.file_url === null ? null : (
        <div className="flex flex-col gap-1">
          <CopyField
            label="A text file at this address, with the token and nothing else"
            value={proof.file_url}
          />
          <p className="text-sm text-muted">Served with status 200 and without a redirect.</p>
        </div>
      )}
      {proof.dns_name === null ? null : (
        <CopyField label="Or a DNS record of type TXT, with the token, of this name" value={proof.dns_name} />
      )}
      <div aria-live="polite">
        {target.failure === null ? null : (
          <p className="rounded-md bg-caution-soft px-3 py-2">Not found yet: {target.failure}</p>
        )}
      </div>
      {call.error === null ? null : <ProblemNote error={call.error} />}
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>Later</Button>
        <Button
          variant="primary"
          isDisabled={call.isPending}
          onPress={() => call.mutate({ project_id: projectId, host: target.host })}
        >
          {call.isPending ? 'Looking…' : 'Check now'}
        </Button>
      </div>
    </div>
  )
}
