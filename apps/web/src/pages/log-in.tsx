import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { logIn } from '../accounts.ts'
import { Button } from '../components/button.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { pageAfterLogIn } from '../return-path.ts'
import { BarePage } from '../shell/bare-page.tsx'

const route = getRouteApi('/log-in')

export function LogInPage() {
  const search = route.useSearch()
  const call = useMutation({
    mutationFn: logIn,
    // A whole new page: an authorization request is the gateway's, and nothing of another person stays in memory.
    onSuccess: () => window.location.assign(pageAfterLogIn(search)),
  })
  return (
    <BarePage title="Log in">
      <Form
        error={call.error}
        fields={['email', 'password']}
        onSubmit={(values) =>
          call.mutate({ email: textOf(values, 'email'), password: textOf(values, 'password') })
        }
      >
        <TextField label="Email" name="email" type="email" autoComplete="username" isRequired />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          isRequired
        />
        <Button
          type="submit"
          variant="primary"
          isDisabled={call.isPending || call.isSuccess}
          className="mt-2"
        >
          Log in
        </Button>
      </Form>
      <p className="mt-5 text-muted">
        No account yet?{' '}
        <Link to="/sign-up" search={search} className="text-link">
          Sign up
        </Link>
      </p>
    </BarePage>
  )
}
