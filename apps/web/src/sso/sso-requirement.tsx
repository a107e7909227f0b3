import { operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Caution } from '../components/caution.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { Form } from '../components/form.tsx'
import { Section } from '../components/section.tsx'
import { say } from '../components/toasts.tsx'
import { fieldMessages, problemWords } from '../problem-words.ts'
import { ssoOutdates, type Sso, type SsoSettings } from './sso-outdates.ts'

/** Whether it is the only way in. */
export function SsoRequirement({ sso, settings }: { sso: Sso; settings: SsoSettings }) {
  const [isRequired, setRequired] = useState(settings.is_required)
  const [doOwnersKeep, setOwnersKeep] = useState(settings.owners_keep_other_ways)
  const call = useCall(operations.setSso, ssoOutdates)
  return (
    <Section title="Requirement">
      <Form
        error={null}
        fields={[]}
        onSubmit={() =>
          call.mutate(
            {
              workspace_id: sso.workspace_id,
              issuer: settings.issuer,
              client_id: settings.client_id,
              default_role: settings.default_role,
              is_required: isRequired,
              owners_keep_other_ways: doOwnersKeep,
            },
            { onSuccess: () => say('Saved.') },
          )
        }
      >
        <Checkbox isSelected={isRequired} onChange={setRequired}>
          Members with an address of these domains log in with it, and in no other way
        </Checkbox>
        <Checkbox isSelected={doOwnersKeep} onChange={setOwnersKeep} isDisabled={!isRequired}>
          But owners may log in as before, for the day on which the provider is away
        </Checkbox>
        {isRequired && !settings.is_required ? (
          <Caution>
            Whoever is logged in otherwise has to log in again. API tokens and connected apps go on; take
            those back that you do not want.
          </Caution>
        ) : null}
        {call.error === null ? null : (
          <p role="alert" className="text-worse">
            {Object.values(fieldMessages(call.error)).join(' ') || problemWords(call.error).detail}
          </p>
        )}
        <Button type="submit" isDisabled={call.isPending} className="self-start">
          Save the requirement
        </Button>
      </Form>
    </Section>
  )
}
