import type { Scope } from '@flamegate/contract'
import { type ReactNode, useState } from 'react'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import type { Allowance, AllowanceRequest } from '../allowances.ts'
import { fieldMessages } from '../problem-words.ts'
import { Badge } from './badge.tsx'
import { Button } from './button.tsx'
import { Caution } from './caution.tsx'
import { Checkbox } from './checkbox.tsx'
import { ClientChoices } from './client-choices.tsx'
import { FormMessages } from './form-messages.ts'
import { CheckIcon } from './icons.tsx'
import { ProblemNote } from './problem-note.tsx'

interface Props {
  request: AllowanceRequest
  /** Where the answer goes, or what else there is to check. */
  children: ReactNode
  error: Error | null
  isDecided: boolean
  onAllow: (allowance: Allowance) => void
  onDeny: () => void
}

/** Who asks for what, what the person leaves them, and the decision. */
export function AllowanceForm({ request, children, error, isDecided, onAllow, onDeny }: Props) {
  const { client, choices: before, user } = request
  const [choices, setChoices] = useState(before)
  const [additionalScopes, setAdditionalScopes] = useState<readonly Scope[]>([])
  const messages = fieldMessages(error)
  const isAboutChoices = 'workspace_ids' in messages || 'toolsets' in messages
  const asksForMore = before.read_only && request.scopes.some(({ scope }) => scope !== 'read')
  return (
    <div className="flex flex-col gap-5">
      <p className="text-lg">
        <strong className="font-semibold break-words">{client.name}</strong>{' '}
        {client.verified ? (
          <Badge tone="better">{new URL(client.client_id).host}</Badge>
        ) : (
          <Badge tone="caution">unverified</Badge>
        )}{' '}
        wants to act for you in Flamegate.
      </p>

      <section className="flex flex-col gap-2">
        <h2 className="text-sm text-muted">It asks to</h2>
        <ul className="flex flex-col gap-2">
          {request.scopes.map(({ scope, description }) => (
            <li key={scope} className="flex gap-2.5">
              <span className="mt-0.5 text-better">
                <CheckIcon />
              </span>
              {description}
            </li>
          ))}
        </ul>
        <MoreScopes request={request} value={additionalScopes} onChange={setAdditionalScopes} />
      </section>

      <section className="flex flex-col gap-3 border-t border-line pt-4">
        <h2 className="text-sm text-muted">How far it reaches</h2>
        {asksForMore ? (
          <Caution>
            Last time you let it only read. It asks for more now: untick “Only reading” to let it.
          </Caution>
        ) : null}
        <FormMessages value={messages}>
          <ClientChoices offer={request} value={choices} onChange={setChoices} />
        </FormMessages>
        <p className="text-sm text-muted">
          It can never do more than you may yourself. You can change or revoke this at any time under
          Connected apps.
        </p>
      </section>

      {children}

      <p className="border-t border-line pt-4 text-sm text-muted">
        You are logged in as <strong className="font-medium text-text">{user.name}</strong> ({user.email}).
      </p>
      {error === null || isAboutChoices ? null : <ProblemNote error={error} />}
      <div className="grid grid-cols-2 gap-3">
        <Button isDisabled={isDecided} onPress={onDeny}>
          Deny
        </Button>
        <Button
          variant="primary"
          isDisabled={isDecided}
          onPress={() => onAllow({ ...choices, additional_scopes: additionalScopes })}
        >
          Allow
        </Button>
      </div>
    </div>
  )
}

interface MoreScopesProps {
  request: AllowanceRequest
  value: readonly Scope[]
  onChange: (scopes: readonly Scope[]) => void
}

/** Scopes that it did not ask for: some apps cannot ask again when they need one. */
function MoreScopes({ request: { additional_scopes: offered }, value, onChange }: MoreScopesProps) {
  if (offered.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-text">
        More than it asks for
      </summary>
      <p className="mt-2 text-muted">
        Apps ask again when they need more. For one that cannot, choose it here.
      </p>
      <CheckboxGroup
        aria-label="More than it asks for"
        value={[...value]}
        onChange={(names) =>
          onChange(offered.map(({ scope }) => scope).filter((scope) => names.includes(scope)))
        }
        className="mt-2 flex flex-col gap-2"
      >
        {offered.map(({ scope, description }) => (
          <Checkbox key={scope} value={scope}>
            <span>{description}</span>
          </Checkbox>
        ))}
      </CheckboxGroup>
    </details>
  )
}
