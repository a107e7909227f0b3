import { useMutation } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { beginSso } from '../accounts.ts'
import { Button } from '../components/button.tsx'
import { Form, textOf } from '../components/form.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { TextField } from '../components/text-field.tsx'
import { BarePage } from '../shell/bare-page.tsx'

/** Leads to the provider of one's workspace, which is found by one's address, or named by this page's. */
export function SsoSignInPage() {
  const { slug } = useParams({ strict: false })
  const { email = '', interaction, return_to } = useSearch({ strict: false })
  const goOn = { interaction, return_to }
  const call = useMutation({
    mutationFn: (by: { email: string } | { workspace: string }) => beginSso({ ...by, ...goOn }),
    onSuccess: ({ redirect_to: address }) => window.location.assign(address),
  })
  const isLeaving = call.isPending || call.isSuccess
  return (
    <BarePage title="Single sign-on">
      {slug === undefined ? (
        <Form
          error={call.error}
          fields={['email']}
          onSubmit={(values) => call.mutate({ email: textOf(values, 'email').trim() })}
        >
          <TextField
            label="E-mail address"
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={email}
            hint="Your address at work: it tells where you log in."
            isRequired
          />
          <Button type="submit" variant="primary" isDisabled={isLeaving}>
            Continue
          </Button>
        </Form>
      ) : (
        // A press, because a link of somebody else must not log anybody in by itself.
        <div className="flex flex-col gap-4">
          {call.error === null ? null : <ProblemNote error={call.error} isBrief />}
          <p>
            You go on to the log-in page of the workspace <strong>{slug}</strong>.
          </p>
          <Button variant="primary" isDisabled={isLeaving} onPress={() => call.mutate({ workspace: slug })}>
            Continue
          </Button>
        </div>
      )}
      <p className="mt-5">
        <Link to="/log-in" search={goOn} className="text-link">
          Log in in another way
        </Link>
      </p>
    </BarePage>
  )
}
