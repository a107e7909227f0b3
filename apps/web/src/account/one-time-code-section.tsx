import { useState } from 'react'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { Section } from '../components/section.tsx'
import { TextField } from '../components/text-field.tsx'
import { ChangeError } from './change-error.tsx'
import {
  beginOneTimeCodes,
  confirmOneTimeCodes,
  endOneTimeCodes,
  type Enrolment,
  type OwnAccount,
  renewRecoveryCodes,
} from './own-account.ts'
import { QrCode } from './qr-code.tsx'
import { Removal } from './removal.tsx'
import { useChange } from './use-change.ts'

/** Codes of an authenticator app as a second proof. */
export function OneTimeCodeSection({ account }: { account: OwnAccount }) {
  const isInUse = account.one_time_codes.in_use
  const begin = useChange(beginOneTimeCodes)
  const close = () => begin.reset()
  return (
    <Section title="One-time codes">
      <p className="flex flex-wrap items-center gap-2 text-muted">
        <span>A code from an authenticator app on your phone, asked for after your password.</span>
        {isInUse ? <Badge tone="better">in use</Badge> : null}
      </p>
      {isInUse ? (
        <InUse recoveryCodesLeft={account.one_time_codes.recovery_codes_left} />
      ) : (
        <Button isDisabled={begin.isPending} onPress={() => begin.mutate(undefined)} className="self-start">
          Turn on one-time codes
        </Button>
      )}
      <ChangeError error={begin.error} />
      {/* Here and not with its button: it goes on to the recovery codes after the codes came into use. */}
      <Dialog title="Turn on one-time codes" isOpen={begin.data !== undefined} onClose={close}>
        {begin.data === undefined ? null : <Enrol enrolment={begin.data} onClose={close} />}
      </Dialog>
    </Section>
  )
}

function InUse({ recoveryCodesLeft }: { recoveryCodesLeft: number }) {
  return (
    <>
      <p className="text-muted">
        {recoveryCodesLeft === 1 ? 'One recovery code is' : `${recoveryCodesLeft} recovery codes are`} left
        for when you cannot use the app.
      </p>
      <div className="flex flex-wrap gap-2">
        <NewRecoveryCodes />
        <Removal
          label="Turn off one-time codes"
          title="Turn off one-time codes?"
          action="Turn off"
          change={endOneTimeCodes}
          done="One-time codes are off."
        >
          Your password alone will be enough again. The recovery codes stop working.
        </Removal>
      </div>
    </>
  )
}

function Enrol({ enrolment, onClose }: { enrolment: Enrolment; onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>()
  const call = useChange(confirmOneTimeCodes)
  if (codes !== undefined) return <RecoveryCodeList codes={codes} onDone={onClose} />
  return (
    <>
      <p>
        Scan this with an authenticator app, or type the secret into it. Then enter the code that it shows.
      </p>
      <QrCode rows={enrolment.qr_rows} label="QR code for your authenticator app" />
      <CopyField label="Secret" value={enrolment.secret} />
      <Form
        error={call.error}
        fields={['code']}
        onSubmit={(values) =>
          call.mutate(textOf(values, 'code'), { onSuccess: (answer) => setCodes(answer.recovery_codes) })
        }
      >
        <TextField label="Code" name="code" autoComplete="one-time-code" inputMode="numeric" isRequired />
        <FormButtons action="Confirm" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </>
  )
}

function NewRecoveryCodes() {
  const call = useChange(renewRecoveryCodes)
  const close = () => call.reset()
  return (
    <>
      <Button isDisabled={call.isPending} onPress={() => call.mutate(undefined)}>
        New recovery codes
      </Button>
      <ChangeError error={call.error} />
      <Dialog title="New recovery codes" isOpen={call.data !== undefined} onClose={close}>
        {call.data === undefined ? null : (
          <RecoveryCodeList codes={call.data.recovery_codes} onDone={close} />
        )}
      </Dialog>
    </>
  )
}

function RecoveryCodeList({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <>
      <p>
        Keep these recovery codes where you find them without your phone. Each of them stands in for a code
        once. They are not shown again.
      </p>
      <CopyField label="Recovery codes" value={codes.join('\n')} />
      <Button variant="primary" onPress={onDone} className="self-end">
        I have kept them
      </Button>
    </>
  )
}
