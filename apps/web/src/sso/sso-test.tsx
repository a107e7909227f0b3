import { operations } from '@flamegate/contract'
import { useCall } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { Section } from '../components/section.tsx'
import { When } from '../components/when.tsx'
import type { Sso, SsoSettings } from './sso-outdates.ts'

const names = { issuer: 'Issuer', keys: 'Keys', client: 'Client', clock: 'Clock' } as const

/** Asks the provider from the server, and leads to a log-in, which shows the rest. */
export function SsoTest({ sso, settings }: { sso: Sso; settings: SsoSettings }) {
  const call = useCall(operations.testSso, [])
  const { pathname } = new URL(sso.sign_in_url)
  const returnTo = `/workspaces/${sso.workspace_id}/sso`
  return (
    <Section title="Test">
      <p className="text-muted">
        First let the server ask the provider, then log in with it yourself.{' '}
        {settings.worked_at === null ? (
          'Nobody has come in by it yet.'
        ) : (
          <>
            Somebody last came in <When at={settings.worked_at} />; members who have: {settings.member_count}.
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button isDisabled={call.isPending} onPress={() => call.mutate({ workspace_id: sso.workspace_id })}>
          {call.isPending ? 'Asking…' : 'Test the connection'}
        </Button>
        <a
          href={`${pathname}?${new URLSearchParams({ return_to: returnTo }).toString()}`}
          className="self-center text-link"
        >
          Log in with it
        </a>
      </div>
      {call.error === null ? null : <ProblemNote error={call.error} />}
      <div aria-live="polite">
        {call.data === undefined ? null : (
          <ul aria-label="What was found" className="flex flex-col gap-2">
            {call.data.checks.map(({ check, is_ok: isOk, detail }) => (
              <li key={check} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                <Badge tone={isOk ? 'better' : 'worse'}>{`${names[check]}: ${isOk ? 'ok' : 'wrong'}`}</Badge>
                <span className="min-w-0">{detail}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <CopyField label="Where members log in" value={sso.sign_in_url} />
    </Section>
  )
}
