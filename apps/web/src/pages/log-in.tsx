import { ApiProblem } from '@flamegate/client'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { OtherWays } from '../account/other-ways.tsx'
import { refusalWords } from '../account/refusals.ts'
import { logIn, logInWithCode } from '../accounts.ts'
import { Button } from '../components/button.tsx'
import { Caution } from '../components/caution.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { pageAfterLogIn } from '../return-path.ts'
import { BarePage } from '../shell/bare-page.tsx'

const route = getRouteApi('/log-in')

/** Logs in: with a password and perhaps a one-time code, with a passkey, or with an account elsewhere. */
export function LogInPage() {
  const { step, refused, ...goOn } = route.useSearch()
  const [needsCode, setNeedsCode] = useState(step === 'code')
  // A whole new page: an authorization request is the gateway's, and nothing of another person stays in memory.
  const leave = () => window.location.assign(pageAfterLogIn(goOn))
  const refusal = refusalWords(refused)
  if (needsCode) return <CodePage onDone={leave} onBack={() => setNeedsCode(false)} />
  return (
    <BarePage title="Log in">
      {refusal === undefined ? null : (
        <div className="mb-4">
          <Caution>{refusal}</Caution>
        </div>
      )}
      <PasswordForm goOn={goOn} onDone={leave} onCodeNeeded={() => setNeedsCode(true)} />
      <p className="mt-4">
        <Link to="/forgot-password" className="text-link">
          Forgot your password?
        </Link>
      </p>
      <OtherWays goOn={goOn} onDone={leave} />
      <p className="mt-5 text-muted">
        No account yet?{' '}
        <Link to="/sign-up" search={goOn} className="text-link">
          Sign up
        </Link>
      </p>
    </BarePage>
  )
}

interface PasswordFormProps {
  goOn: { interaction?: string | undefined; return_to?: string | undefined }
  onDone: () => void
  onCodeNeeded: () => void
}

function PasswordForm({ goOn, onDone, onCodeNeeded }: PasswordFormProps) {
  const call = useMutation({
    mutationFn: logIn,
    onSuccess: (answer) => ('next' in answer ? onCodeNeeded() : onDone()),
  })
  return (
    <Form
      error={call.error}
      fields={['email', 'password']}
      onSubmit={(values) =>
        call.mutate({ email: textOf(values, 'email'), password: textOf(values, 'password') })
      }
    >
      <TextField label="E-mail address" name="email" type="email" autoComplete="username" isRequired />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        isRequired
      />
      <Button type="submit" variant="primary" isDisabled={call.isPending || call.isSuccess} className="mt-2">
        Log in
      </Button>
      {call.error instanceof ApiProblem && call.error.code === 'sso_required' ? (
        <Link to="/sign-in/sso" search={{ ...goOn, email: call.variables?.email }} className="text-link">
          Log in with single sign-on
        </Link>
      ) : null}
    </Form>
  )
}

function CodePage({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const call = useMutation({ mutationFn: logInWithCode, onSuccess: onDone })
  return (
    <BarePage title="Enter a code">
      <Form error={call.error} fields={['code']} onSubmit={(values) => call.mutate(textOf(values, 'code'))}>
        <TextField
          label="Code"
          name="code"
          hint="From your authenticator app, or one of your recovery codes."
          autoComplete="one-time-code"
          isRequired
        />
        <Button type="submit" variant="primary" isDisabled={call.isPending || call.isSuccess}>
          Continue
        </Button>
      </Form>
      <p className="mt-5">
        <Button variant="quiet" onPress={onBack}>
          Begin again
        </Button>
      </p>
    </BarePage>
  )
}
