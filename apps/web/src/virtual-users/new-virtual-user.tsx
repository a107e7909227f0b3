import { operations } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { TextField } from '../components/text-field.tsx'

/** A button that makes an empty virtual user, and opens it. */
export function NewVirtualUser({ projectId }: { projectId: string }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const call = useCall(operations.createVirtualUser, [operations.listVirtualUsers])
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <PlusIcon />
        New
      </Button>
      <Dialog title="New virtual user" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Form
          error={call.error}
          fields={['name']}
          onSubmit={(values) =>
            call.mutate(
              { project_id: projectId, name: textOf(values, 'name') },
              {
                onSuccess: ({ virtual_user }) =>
                  void navigate({
                    to: '/virtual-users/$virtualUserId',
                    params: { virtualUserId: virtual_user.id },
                  }),
              },
            )
          }
        >
          <TextField label="Name" name="name" maxLength={80} hint="It begins without actions." />
          <FormButtons action="Create" isDisabled={call.isPending} onCancel={() => setOpen(false)} />
        </Form>
      </Dialog>
    </>
  )
}
