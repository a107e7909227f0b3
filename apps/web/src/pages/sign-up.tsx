import { getRouteApi, Link } from '@tanstack/react-router'
import { SignUpForm } from '../components/sign-up-form.tsx'
import { pageAfterLogIn } from '../return-path.ts'
import { BarePage } from '../shell/bare-page.tsx'

const route = getRouteApi('/sign-up')

export function SignUpPage() {
  const search = route.useSearch()
  return (
    <BarePage title="Sign up">
      <SignUpForm action="Sign up" onDone={() => window.location.assign(pageAfterLogIn(search))} />
      <p className="mt-5 text-muted">
        You have an account?{' '}
        <Link to="/log-in" search={search} className="text-link">
          Log in
        </Link>
      </p>
    </BarePage>
  )
}
