import { operations } from '@flamegate/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { TextField } from '../components/text-field.tsx'
import { Page } from '../shell/page.tsx'

/** The workspaces a person belongs to. */
export function WorkspacesPage() {
  const query = useAnswer(operations.listWorkspaces, {})
  return (
    <Page
      title="Workspaces"
      lead="Where you are a member, and what you may do there"
      actions={<NewWorkspace />}
    >
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ workspaces }) => (
          <DataTable
            label="Workspaces"
            rows={workspaces}
            rowKey={({ id }) => id}
            whenEmpty="You are in no workspace. Ask an admin to add you."
            columns={[
              {
                key: 'name',
                title: 'Workspace',
                grow: true,
                sortBy: ({ name }) => name,
                render: ({ id, name }) => (
                  <Link
                    to="/workspaces/$workspaceId/projects"
                    params={{ workspaceId: id }}
                    className="row-link block truncate font-medium"
                  >
                    {name}
                  </Link>
                ),
              },
              {
                key: 'role',
                title: 'Your role',
                render: ({ role, deletes_at }) =>
                  deletes_at === null ? <Badge>{role}</Badge> : <Badge tone="worse">being deleted</Badge>,
              },
              { key: 'plan', title: 'Plan', hideBelow: 'sm', render: ({ plan }) => plan },
            ]}
          />
        )}
      </Answer>
    </Page>
  )
}

function NewWorkspace() {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const call = useCall(operations.createWorkspace, [operations.getCurrentUser, operations.listWorkspaces])
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <PlusIcon />
        New workspace
      </Button>
      <Dialog title="New workspace" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Form
          error={call.error}
          fields={['name']}
          onSubmit={(values) =>
            call.mutate(
              { name: textOf(values, 'name') },
              {
                onSuccess: ({ workspace }) =>
                  void navigate({
                    to: '/workspaces/$workspaceId/projects',
                    params: { workspaceId: workspace.id },
                  }),
              },
            )
          }
        >
          <TextField label="Name" name="name" maxLength={100} isRequired />
          <FormButtons
            action="Create workspace"
            isDisabled={call.isPending}
            onCancel={() => setOpen(false)}
          />
        </Form>
      </Dialog>
    </>
  )
}
