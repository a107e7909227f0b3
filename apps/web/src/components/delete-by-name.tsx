import { Dialog } from './dialog.tsx'
import { FormButtons } from './form-buttons.tsx'
import { Form, textOf } from './form.tsx'
import { TextField } from './text-field.tsx'

interface Props {
  name: string
  error: Error | null
  isPending: boolean
  onClose: () => void
  onDelete: (confirm: string) => void
}

/** Asks for the name of a workspace before it is deleted. */
export function DeleteByName({ name, error, isPending, onClose, onDelete }: Props) {
  return (
    <Dialog title={`Delete ${name}?`} isOpen onClose={onClose}>
      <p className="text-muted">
        In 14 days it goes with all that is in it. Until then its members read it, nobody changes anything,
        and an owner can restore it. To go on, type the name of the workspace.
      </p>
      <Form error={error} fields={['confirm']} onSubmit={(values) => onDelete(textOf(values, 'confirm'))}>
        <TextField label={`Name of the workspace: ${name}`} name="confirm" autoComplete="off" isRequired />
        <FormButtons action="Delete in 14 days" variant="danger" isDisabled={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
