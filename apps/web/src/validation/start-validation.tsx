import { operations } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { useVirtualUser } from './virtual-user-frame.tsx'

interface Props {
  virtualUserId: string
  /** What the button says. */
  label: string
  /** Whether something was changed that is not saved, and so not in what is run. */
  hasUnsaved?: boolean
}

/** A button that runs a virtual user against its servers, and leads to what happens; nothing for who may not. */
export function StartValidation({ virtualUserId, label, hasUnsaved = false }: Props) {
  const [isOpen, setOpen] = useState(false)
  const user = useVirtualUser(virtualUserId).data?.virtual_user
  const mayRun = useMayInProject(user?.project_id, 'member')
  const navigate = useNavigate()
  const call = useCall(operations.validateVirtualUser, [
    operations.listValidations,
    operations.listVirtualUsers,
    operations.getVirtualUserValidationIndex,
  ])
  if (!mayRun || user === undefined) return null
  return (
    <>
      <Button variant="primary" onPress={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog title={`Validate “${user.name}”`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Form
          error={call.error}
          fields={['iterations']}
          onSubmit={(values) =>
            call.mutate(
              { virtual_user_id: virtualUserId, iterations: Number(textOf(values, 'iterations')) },
              {
                onSuccess: ({ validation }) => {
                  setOpen(false)
                  void navigate({
                    to: '/virtual-users/$virtualUserId/validations/$validationId',
                    params: { virtualUserId, validationId: validation.id },
                  })
                },
              },
            )
          }
        >
          <p className="text-muted">
            One user goes through version {user.version}, against its real servers. Every request and answer
            is kept, to be laid beside the recording.
          </p>
          {hasUnsaved ? (
            <p className="rounded-md bg-caution-soft px-3 py-2">
              What you changed since is not saved, and not in it. Save it first to try it.
            </p>
          ) : null}
          <TextField
            label="Iterations"
            name="iterations"
            inputMode="numeric"
            defaultValue="1"
            hint="1 to 20. A second one shows what works only once."
          />
          <FormButtons action="Start" isDisabled={call.isPending} onCancel={() => setOpen(false)} />
        </Form>
      </Dialog>
    </>
  )
}
