import { operations } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { newLoad } from './profile-fields.ts'
import { useVirtualUsers } from './use-virtual-users.ts'

/** Stands for a scenario that begins without a profile. */
const nobody = 'nobody'

/** A button that makes a scenario of one virtual user, and opens it. */
export function NewScenario({ projectId }: { projectId: string }) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const navigate = useNavigate()
  const call = useCall(operations.createScenario, [operations.listScenarios])
  const { users, areComing } = useVirtualUsers(isOpen ? projectId : undefined)
  const userId = chosen ?? users[0]?.id ?? nobody
  return (
    <>
      <Button variant="primary" onPress={() => setOpen(true)}>
        <PlusIcon />
        New scenario
      </Button>
      <Dialog title="New scenario" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Form
          error={call.error}
          fields={['name']}
          onSubmit={(values) =>
            call.mutate(
              {
                project_id: projectId,
                name: textOf(values, 'name'),
                ...(userId === nobody ? {} : { virtual_user_ids: [userId], load: newLoad }),
              },
              {
                onSuccess: ({ scenario }) =>
                  void navigate({ to: '/scenarios/$scenarioId', params: { scenarioId: scenario.id } }),
              },
            )
          }
        >
          <TextField label="Name" name="name" maxLength={80} />
          <Select
            label="Virtual user"
            value={userId}
            onChange={setChosen}
            choices={[
              ...users.map(({ id, name }) => ({ id, label: name })),
              { id: nobody, label: 'None yet' },
            ]}
          />
          <FormButtons
            action="Create"
            isDisabled={call.isPending || areComing}
            onCancel={() => setOpen(false)}
          />
        </Form>
      </Dialog>
    </>
  )
}
