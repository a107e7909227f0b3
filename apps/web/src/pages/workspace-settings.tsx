import { operations, roleAtLeast } from '@flamegate/contract'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DeleteByName } from '../components/delete-by-name.tsx'
import { DownloadFile } from '../components/download-file.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Form, textOf } from '../components/form.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { WorkspacePage } from '../shell/page.tsx'
import { useMe, type Workspace } from '../shell/workspace.ts'

const route = getRouteApi('/app/workspaces/$workspaceId/settings')
const workspacesAreOther = [operations.getCurrentUser, operations.listWorkspaces]

/** The name of a workspace, whose it is, and the ways out of it. */
export function WorkspaceSettingsPage() {
  const { workspaceId } = route.useParams()
  const workspace = useMe().workspaces.find(({ id }) => id === workspaceId)
  return (
    <WorkspacePage workspaceId={workspaceId} title="Workspace settings">
      {workspace === undefined ? (
        <EmptyState title="You are in no such workspace">
          <p>Somebody may have removed you, or it was deleted.</p>
        </EmptyState>
      ) : (
        <div className="flex max-w-xl flex-col gap-10">
          {roleAtLeast(workspace.role, 'admin') ? <Names workspace={workspace} /> : null}
          {workspace.role === 'owner' ? <SingleSignOn workspace={workspace} /> : null}
          {workspace.role === 'owner' ? <Export workspace={workspace} /> : null}
          {workspace.role === 'owner' ? <Transfer workspace={workspace} /> : null}
          <Leave workspace={workspace} />
          {workspace.role === 'owner' ? <Delete workspace={workspace} /> : null}
        </div>
      )}
    </WorkspacePage>
  )
}

function Names({ workspace: { id, name, slug } }: { workspace: Workspace }) {
  const call = useCall(operations.updateWorkspace, workspacesAreOther)
  return (
    <Section title="Name">
      <Form
        error={call.error}
        fields={['name', 'slug']}
        onSubmit={(values) =>
          call.mutate(
            { workspace_id: id, name: textOf(values, 'name'), slug: textOf(values, 'slug') },
            { onSuccess: () => say('Saved.') },
          )
        }
      >
        <TextField label="Name" name="name" defaultValue={name} maxLength={100} isRequired />
        <TextField
          label="Slug"
          name="slug"
          defaultValue={slug}
          maxLength={60}
          hint="A short name, of lower-case letters, digits and dashes."
          isRequired
        />
        <Button type="submit" variant="primary" isDisabled={call.isPending} className="self-start">
          Save
        </Button>
      </Form>
    </Section>
  )
}

function SingleSignOn({ workspace: { id } }: { workspace: Workspace }) {
  return (
    <Section title="Single sign-on">
      <p className="text-muted">Members log in with the OpenID provider of your company.</p>
      <Link to="/workspaces/$workspaceId/sso" params={{ workspaceId: id }} className="self-start text-link">
        Set up single sign-on
      </Link>
    </Section>
  )
}

function Export({ workspace: { id } }: { workspace: Workspace }) {
  const call = useCall(operations.exportWorkspace, [])
  const taskId = call.data?.task_id
  const { data } = useAnswer(
    operations.getTaskResult,
    { task_id: taskId ?? '' },
    { enabled: taskId !== undefined, pollWhile: ({ next_poll_seconds }) => next_poll_seconds !== null },
  )
  const task = data?.task
  const fileId = task?.result?.['file_id']
  return (
    <Section title="Export">
      <p className="text-muted">
        Everything in this workspace as one archive, a tar.gz. Whoever runs an installation can make a new
        workspace of it. API tokens and the audit log are not in it.
      </p>
      {call.error === null ? null : <ProblemNote error={call.error} />}
      <output className="flex flex-wrap items-center gap-3">
        {typeof fileId === 'string' ? (
          <DownloadFile fileId={fileId} label="Download the archive" />
        ) : (
          <Button
            isDisabled={call.isPending || (taskId !== undefined && task?.status !== 'FAILED')}
            onPress={() => call.mutate({ workspace_id: id })}
          >
            Export
          </Button>
        )}
        {task === undefined || typeof fileId === 'string' ? null : (
          <span className="text-muted">{task.problem?.detail ?? task.message}</span>
        )}
      </output>
    </Section>
  )
}

function Transfer({ workspace: { id, name } }: { workspace: Workspace }) {
  const me = useMe().user.email
  const [chosen, setChosen] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { data } = useAnswer(operations.listWorkspaceMembers, { workspace_id: id })
  const others = (data?.members ?? []).filter(({ email, status }) => email !== me && status === 'active')
  const email = chosen === '' ? (others[0]?.email ?? '') : chosen
  return (
    <Section title="Transfer ownership">
      {email === '' ? (
        <p className="text-muted">There is nobody else in {name} yet. Add a member first.</p>
      ) : (
        <div className="flex flex-wrap items-end gap-3">
          <Select
            label="New owner"
            className="min-w-60"
            choices={others.map((member) => ({ id: member.email, label: member.email }))}
            value={email}
            onChange={setChosen}
          />
          <Button onPress={() => setOpen(true)}>Transfer…</Button>
        </div>
      )}
      {isOpen ? (
        <ConfirmCall
          title={`Make ${email} the owner of ${name}?`}
          action="Transfer"
          operation={operations.transferWorkspace}
          input={{ workspace_id: id, email }}
          outdates={[...workspacesAreOther, operations.listWorkspaceMembers]}
          onDone={({ owner }) => say(`${owner} owns ${name} now.`)}
          onClose={() => setOpen(false)}
        >
          You stay as an admin. Only the new owner can make you owner again.
        </ConfirmCall>
      ) : null}
    </Section>
  )
}

function Leave({ workspace: { id, name } }: { workspace: Workspace }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  return (
    <Section title="Leave">
      <p className="text-muted">
        You are a member no more, and your API tokens here are revoked. Who is the last owner has to transfer
        or delete it instead.
      </p>
      <Button className="self-start" onPress={() => setOpen(true)}>
        Leave…
      </Button>
      {isOpen ? (
        <ConfirmCall
          title={`Leave ${name}?`}
          action="Leave"
          operation={operations.leaveWorkspace}
          input={{ workspace_id: id }}
          outdates={workspacesAreOther}
          onDone={() => {
            say(`You left ${name}.`)
            void navigate({ to: '/workspaces' })
          }}
          onClose={() => setOpen(false)}
        >
          An admin has to invite you to come back.
        </ConfirmCall>
      ) : null}
    </Section>
  )
}

function Delete({ workspace: { id, name } }: { workspace: Workspace }) {
  const [isOpen, setOpen] = useState(false)
  const call = useCall(operations.deleteWorkspace, workspacesAreOther)
  return (
    <Section title="Delete">
      <p className="text-muted">It goes in 14 days with all that is in it; until then you can restore it.</p>
      <Button variant="danger" className="self-start" onPress={() => setOpen(true)}>
        Delete workspace…
      </Button>
      {isOpen ? (
        <DeleteByName
          name={name}
          error={call.error}
          isPending={call.isPending}
          onClose={() => setOpen(false)}
          onDelete={(confirm) =>
            call.mutate({ workspace_id: id, confirm }, { onSuccess: () => setOpen(false) })
          }
        />
      ) : null}
    </Section>
  )
}
