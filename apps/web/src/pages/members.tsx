import { type AnswerOf, operations, type Role, roleAtLeast, roles } from '@flamegate/contract'
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
import { FormButtons } from '../components/form-buttons.tsx'
import { FormResult } from '../components/form-result.tsx'
import { Form, textOf } from '../components/form.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { problemWords } from '../problem-words.ts'
import { WorkspacePage } from '../shell/page.tsx'
import { useMe } from '../shell/workspace.ts'

const route = getRouteApi('/app/workspaces/$workspaceId/members')

type Member = AnswerOf<typeof operations.listWorkspaceMembers>['members'][number]

const roleNotes: Readonly<Record<Role, string>> = {
  viewer: 'sees everything',
  member: 'uploads and changes projects',
  admin: 'manages members, reads the audit log',
  owner: 'may do everything, and make owners',
}

/** Who changes a role may change their own, which decides what all pages offer. */
const outdated = [operations.listWorkspaceMembers, operations.getCurrentUser, operations.listWorkspaces]

/** Who belongs to a workspace, and inviting more. */
export function MembersPage() {
  const { workspaceId } = route.useParams()
  const role = useMe().workspaces.find(({ id }) => id === workspaceId)?.role ?? 'viewer'
  const query = useAnswer(operations.listWorkspaceMembers, { workspace_id: workspaceId })
  const choices = roles
    .filter((name) => role === 'owner' || name !== 'owner')
    .map((id) => ({ id, label: id, note: roleNotes[id] }))
  const mayManage = roleAtLeast(role, 'admin')
  // Ownership is given and taken by owners alone.
  const mayChange = (member: Member) => mayManage && (role === 'owner' || member.role !== 'owner')
  return (
    <WorkspacePage
      workspaceId={workspaceId}
      title="Members"
      actions={mayManage ? <Invite workspaceId={workspaceId} choices={choices} /> : undefined}
    >
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ members }) => (
          <DataTable
            label="Members"
            rows={members}
            rowKey={({ email }) => email}
            stacks
            whenEmpty="Nobody."
            columns={[
              {
                key: 'name',
                title: 'Name',
                grow: true,
                sortBy: ({ name, email }) => (name ?? email).toLowerCase(),
                render: (member) => (
                  <span className="block truncate">
                    {member.name === null ? null : <span className="font-medium">{member.name}</span>}{' '}
                    <span className="text-muted">{member.email}</span>
                  </span>
                ),
              },
              {
                key: 'status',
                title: 'Status',
                render: ({ status }) => (status === 'active' ? null : <Badge tone="accent">invited</Badge>),
              },
              { key: 'since', title: 'Since', hideBelow: 'lg', render: ({ since }) => <When at={since} /> },
              {
                key: 'role',
                title: 'Role',
                render: (member) =>
                  mayChange(member) ? (
                    <RoleSelect workspaceId={workspaceId} member={member} choices={choices} />
                  ) : (
                    <Badge>{member.role}</Badge>
                  ),
              },
              ...(mayManage
                ? [
                    {
                      key: 'remove',
                      title: 'Remove',
                      align: 'right' as const,
                      render: (member: Member) =>
                        mayChange(member) ? <Remove workspaceId={workspaceId} member={member} /> : null,
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Answer>
    </WorkspacePage>
  )
}

type Choices = readonly { id: Role; label: string; note: string }[]

function RoleSelect({
  workspaceId,
  member,
  choices,
}: {
  workspaceId: string
  member: Member
  choices: Choices
}) {
  const call = useCall(operations.setWorkspaceMember, outdated)
  return (
    <Select
      label={`Role of ${member.email}`}
      hideLabel
      className="w-32"
      choices={choices}
      value={member.role}
      onChange={(id) => {
        const role = roles.find((name) => name === id)
        if (role === undefined || role === member.role) return
        call.mutate(
          { workspace_id: workspaceId, email: member.email, role },
          {
            onSuccess: () => say(`${member.email} is now ${role}.`),
            onError: (error) => say(problemWords(error).detail),
          },
        )
      }}
    />
  )
}

function Remove({ workspaceId, member }: { workspaceId: string; member: Member }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" aria-label={`Remove ${member.email}`} onPress={() => setOpen(true)}>
        Remove
      </Button>
      {isOpen ? (
        <ConfirmCall
          title={`Remove ${member.email}?`}
          action="Remove"
          operation={operations.setWorkspaceMember}
          input={{ workspace_id: workspaceId, email: member.email, role: 'none' }}
          outdates={outdated}
          onDone={() => say(`${member.email} is no longer a member.`)}
          onClose={() => setOpen(false)}
        >
          They lose access to everything in this workspace at once, and so do the agents and tokens that act
          for them.
        </ConfirmCall>
      ) : null}
    </>
  )
}

function Invite({ workspaceId, choices }: { workspaceId: string; choices: Choices }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button variant="primary" onPress={() => setOpen(true)}>
        <PlusIcon />
        Add a member
      </Button>
      <Dialog title="Add a member" isOpen={isOpen} onClose={close}>
        <InviteForm workspaceId={workspaceId} choices={choices} onDone={close} />
      </Dialog>
    </>
  )
}

function InviteForm({
  workspaceId,
  choices,
  onDone,
}: {
  workspaceId: string
  choices: Choices
  onDone: () => void
}) {
  const [role, setRole] = useState<Role>('member')
  const call = useCall(operations.setWorkspaceMember, outdated)
  const link = call.data?.invitation_url ?? null
  if (call.data !== undefined && link !== null) {
    return (
      <FormResult onDone={onDone}>
        <p>
          {call.data.email} is invited as {call.data.role}, for 14 days. Where a mail server is set, they get
          a mail. You can also send them this link yourself; it is shown only now.
        </p>
        <CopyField label="Invitation link" value={link} />
      </FormResult>
    )
  }
  return (
    <Form
      error={call.error}
      fields={['email', 'role']}
      onSubmit={(values) =>
        call.mutate(
          { workspace_id: workspaceId, email: textOf(values, 'email'), role },
          {
            onSuccess: ({ email, status }) => {
              if (status !== 'active') return
              say(`${email} is a member now.`)
              onDone()
            },
          },
        )
      }
    >
      <TextField label="E-mail address" name="email" type="email" autoComplete="off" isRequired />
      <Select
        label="Role"
        choices={choices}
        value={role}
        onChange={(id) => setRole(roles.find((name) => name === id) ?? 'member')}
      />
      <FormButtons action="Add" isDisabled={call.isPending} onCancel={onDone} />
    </Form>
  )
}
