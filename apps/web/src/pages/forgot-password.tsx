import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { forgotPassword } from '../accounts.ts'
import { Button } from '../components/button.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { BarePage } from '../shell/bare-page.tsx'

/** Asks for a mail with a link to choose a new password. */
export function ForgotPasswordPage() {
  const call = useMutation({ mutationFn: forgotPassword })
  if (call.data !== undefined) {
    return (
      <BarePage title="Look into your mailbox">
        <p className="text-muted">
          We sent a mail to <strong className="break-all">{call.data.email}</strong>. The link in it is good
          for an hour.
        </p>
      </BarePage>
    )
  }
  return (
    <BarePage title="Forgot your password?">
      <Form error={call.error} fields={['email']} onSubmit={(values) => call.mutate(textOf(values, 'email'))}>
        <p className="text-muted">We send you a link to choose a new one.</p>
        <TextField label="E-mail address" name="email" type="email" autoComplete="username" isRequired />
        <Button type="submit" variant="primary" isDisabled={call.isPending}>
          Send the link
        </Button>
      </Form>
      <p className="mt-5 text-muted">
        You know it again?{' '}
        <Link to="/log-in" className="text-link">
          Log in
        </Link>
      </p>
    </BarePage>
  )
}
