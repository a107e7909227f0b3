import { operations, roleAtLeast } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../api.ts'
import type { Workspace } from '../shell/workspace.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FormButtons } from './form-buttons.tsx'
import { Form, textOf } from './form.tsx'
import { PlusIcon } from './icons.tsx'
import { TextField } from './text-field.tsx'

/** A button that makes a project, for those who may. */
export function NewProject({ workspace }: { workspace: Workspace }) {
  const [isOpen, setOpen] = useState(false)
  if (!roleAtLeast(workspace.role, 'member')) return null
  return (
    <>
      <Button variant="primary" onPress={() => setOpen(true)}>
        <PlusIcon />
        New project
      </Button>
      <Dialog title="New project" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewProjectForm workspaceId={workspace.id} onCancel={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function NewProjectForm({ workspaceId, onCancel }: { workspaceId: string; onCancel: () => void }) {
  const navigate = useNavigate()
  const call = useCall(operations.createProject, [operations.listProjects, operations.listRepositories])
  return (
    <Form
      error={call.error}
      fields={['name', 'description', 'repository']}
      onSubmit={(values) => {
        const repository = textOf(values, 'repository')
        call.mutate(
          {
            workspace_id: workspaceId,
            name: textOf(values, 'name'),
            description: textOf(values, 'description'),
            ...(repository === '' ? {} : { repository }),
          },
          {
            onSuccess: ({ project }) =>
              void navigate({ to: '/projects/$projectId', params: { projectId: project.id } }),
          },
        )
      }}
    >
      <TextField label="Name" name="name" maxLength={100} isRequired />
      <TextField label="Repository" name="repository" placeholder="owner/name" hint="Optional." />
      <TextField label="Description" name="description" maxLength={2000} hint="Optional, one sentence." />
      <FormButtons action="Create project" isDisabled={call.isPending} onCancel={onCancel} />
    </Form>
  )
}
