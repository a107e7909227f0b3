import { useMutation } from '@tanstack/react-query'
import { type Invitation, signUp } from '../accounts.ts'
import { Button } from './button.tsx'
import { Form, textOf } from './form.tsx'
import { TextField } from './text-field.tsx'

interface Props {
  invitation?: Invitation | undefined
  action: string
  onDone: (answer: Awaited<ReturnType<typeof signUp>>) => void
}

/** Name, email and password of a new person. */
export function SignUpForm({ invitation, action, onDone }: Props) {
  const call = useMutation({ mutationFn: signUp, onSuccess: onDone })
  return (
    <Form
      error={call.error}
      fields={['name', 'email', 'password']}
      onSubmit={(values) =>
        call.mutate({
          name: textOf(values, 'name'),
          email: textOf(values, 'email'),
          password: textOf(values, 'password'),
          ...invitation,
        })
      }
    >
      <TextField label="Name" name="name" autoComplete="name" maxLength={100} isRequired />
      <TextField label="E-mail address" name="email" type="email" autoComplete="username" isRequired />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        hint="A sentence of a few words is easy to remember and hard to guess."
        isRequired
      />
      <Button type="submit" variant="primary" isDisabled={call.isPending || call.isSuccess} className="mt-2">
        {action}
      </Button>
    </Form>
  )
}
