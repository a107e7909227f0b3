import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { OneTimeCodeSection } from '../account/one-time-code-section.tsx'
import { ownAccountOptions } from '../account/own-account.ts'
import { PasskeySection } from '../account/passkey-section.tsx'
import { PasswordSection } from '../account/password-section.tsx'
import { PersonSection } from '../account/person-section.tsx'
import { ProofProvider } from '../account/proof.tsx'
import { refusalWords } from '../account/refusals.ts'
import { SecurityEventSection } from '../account/security-event-section.tsx'
import { SessionSection } from '../account/session-section.tsx'
import { SignInSection } from '../account/sign-in-section.tsx'
import { Answer } from '../components/answer.tsx'
import { Caution } from '../components/caution.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { Page } from '../shell/page.tsx'

const route = getRouteApi('/app/settings/account')

/** Who a person is here, and what they log in with. */
export function AccountPage() {
  const refusal = refusalWords(route.useSearch().refused)
  const query = useQuery(ownAccountOptions)
  return (
    <Page title="Account" lead="Who you are, and how you log in">
      {refusal === undefined ? null : <Caution>{refusal}</Caution>}
      <ProofProvider>
        <Answer query={query} skeleton={<SkeletonBlock height="40rem" />}>
          {(account) => (
            <div className="flex max-w-3xl flex-col gap-10">
              <PersonSection account={account} />
              <PasswordSection account={account} />
              <PasskeySection account={account} />
              <OneTimeCodeSection account={account} />
              <SignInSection account={account} />
              <SessionSection sessions={account.sessions} />
              <SecurityEventSection />
            </div>
          )}
        </Answer>
      </ProofProvider>
    </Page>
  )
}
