import { operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Form } from '../components/form.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { Section } from '../components/section.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { ssoOutdates, type Sso } from './sso-outdates.ts'

type Domain = Sso['domains'][number]

/** Domains whose addresses are the workspace's, and how to prove it. */
export function SsoDomains({ sso: { workspace_id: workspaceId, domains } }: { sso: Sso }) {
  const [typed, setTyped] = useState('')
  const call = useCall(operations.verifySsoDomain, ssoOutdates)
  const add = () =>
    call.mutate(
      { workspace_id: workspaceId, domain: typed.trim().toLowerCase() },
      { onSuccess: () => setTyped('') },
    )
  return (
    <Section title="Domains">
      <p className="text-muted">
        The provider’s word counts for e-mail addresses of domains that you prove to be yours, and for no
        others.
      </p>
      {domains.length === 0 ? null : (
        <ul aria-label="Domains" className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {domains.map((domain) => (
            <DomainItem key={domain.domain} workspaceId={workspaceId} domain={domain} />
          ))}
        </ul>
      )}
      <Form error={call.error} fields={['domain']} onSubmit={add}>
        <TextField
          label="Domain"
          name="domain"
          placeholder="example.com"
          hint="The part after the @."
          value={typed}
          onChange={setTyped}
        />
        <Button type="submit" isDisabled={call.isPending} className="self-start">
          Add the domain
        </Button>
      </Form>
    </Section>
  )
}

function DomainItem({ workspaceId, domain }: { workspaceId: string; domain: Domain }) {
  const call = useCall(operations.verifySsoDomain, ssoOutdates)
  const { domain: name, is_verified: isVerified, failure, checked_at: checkedAt } = domain
  return (
    <li className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <code className="truncate font-medium">{name}</code>
          {isVerified ? (
            <Badge tone="better">
              {domain.method === 'dns' ? 'proved by DNS' : 'proved by the installation'}
            </Badge>
          ) : (
            <Badge tone="caution">not proved</Badge>
          )}
        </span>
        <span className="flex gap-2">
          {isVerified ? null : (
            <Button
              aria-label={`Check ${name}`}
              isDisabled={call.isPending}
              onPress={() => call.mutate({ workspace_id: workspaceId, domain: name })}
            >
              {call.isPending ? 'Looking…' : 'Check'}
            </Button>
          )}
          <GiveUp workspaceId={workspaceId} name={name} />
        </span>
      </div>
      {isVerified ? null : (
        <>
          <p className="text-muted">
            Let whoever runs its DNS add a TXT record of this name, with this value.
          </p>
          <CopyField label="Name" value={domain.dns_name} />
          <CopyField label="Value" value={domain.token} />
          <p aria-live="polite" className={failure === null ? '' : 'rounded-md bg-caution-soft px-3 py-2'}>
            {failure === null || checkedAt === null ? '' : `Not found yet: ${failure}`}
          </p>
        </>
      )}
      {call.error === null ? null : <ProblemNote error={call.error} />}
    </li>
  )
}

function GiveUp({ workspaceId, name }: { workspaceId: string; name: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button aria-label={`Give up ${name}`} onPress={() => setOpen(true)}>
        Give up…
      </Button>
      {isOpen ? (
        <ConfirmCall
          title={`Give up ${name}?`}
          action="Give up"
          operation={operations.deleteSsoDomain}
          input={{ workspace_id: workspaceId, domain: name }}
          outdates={ssoOutdates}
          onDone={() => say(`${name} is the workspace’s no more.`)}
          onClose={() => setOpen(false)}
        >
          Addresses of it do not log in with the provider any more, and another workspace may prove it.
        </ConfirmCall>
      ) : null}
    </>
  )
}
