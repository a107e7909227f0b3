import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { OtherWays } from '../account/other-ways.tsx'
import { ConfirmYourEmail } from '../components/confirm-your-email.tsx'
import { SignUpForm } from '../components/sign-up-form.tsx'
import { pageAfterLogIn } from '../return-path.ts'
import { BarePage } from '../shell/bare-page.tsx'

const route = getRouteApi('/sign-up')

export function SignUpPage() {
  const search = route.useSearch()
  const [mailedTo, setMailedTo] = useState<string>()
  const leave = () => window.location.assign(pageAfterLogIn(search))
  if (mailedTo !== undefined) return <ConfirmYourEmail email={mailedTo} goOn={search} />
  return (
    <BarePage title="Sign up">
      <SignUpForm
        action="Sign up"
        onDone={(answer) => ('next' in answer ? setMailedTo(answer.email) : leave())}
      />
      <OtherWays goOn={search} onDone={leave} />
      <p className="mt-5 text-muted">
        You have an account?{' '}
        <Link to="/log-in" search={search} className="text-link">
          Log in
        </Link>
      </p>
    </BarePage>
  )
}
