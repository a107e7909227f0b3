import { operations } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Dialog } from './dialog.tsx'
import { FormButtons } from './form-buttons.tsx'
import { Form, textOf } from './form.tsx'
import { MoreActions } from './more-actions.tsx'
import type { Project } from './project-card.tsx'
import { TextField } from './text-field.tsx'
import { say } from './toasts.tsx'

/** A button that removes a project for good, after its name was typed. */
export function DeleteProject({ project }: { project: Project }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const call = useCall(operations.deleteProject, [operations.listProjects, operations.listRepositories])
  return (
    <>
      <MoreActions
        of={project.name}
        actions={[{ label: 'Delete project…', onAction: () => setOpen(true) }]}
      />
      <Dialog title={`Delete ${project.name}?`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className="text-muted">
          All its runs, benchmarks, profiles and files are removed for good. To go on, type the name of the
          project.
        </p>
        <Form
          error={call.error}
          fields={['confirm']}
          onSubmit={(values) =>
            call.mutate(
              { project_id: project.id, confirm: textOf(values, 'confirm') },
              {
                onSuccess: () => {
                  say(`${project.name} is deleted.`)
                  void navigate({ to: '/' })
                },
              },
            )
          }
        >
          <TextField
            label={`Name of the project: ${project.name}`}
            name="confirm"
            autoComplete="off"
            isRequired
          />
          <FormButtons
            action="Delete for good"
            variant="danger"
            isDisabled={call.isPending}
            onCancel={() => setOpen(false)}
          />
        </Form>
      </Dialog>
    </>
  )
}
