import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type Allowance,
  allowDevice,
  denyDevice,
  type DeviceRequest,
  findDeviceRequest,
} from '../allowances.ts'
import { AllowanceForm } from '../components/allowance-form.tsx'
import { Button } from '../components/button.tsx'
import { Caution } from '../components/caution.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { BarePage } from '../shell/bare-page.tsx'

const route = getRouteApi('/device')

/** Where a person types the code that a program without a browser shows, and decides what it may do. */
export function DevicePage() {
  const { user_code: code } = route.useSearch()
  const [request, setRequest] = useState<DeviceRequest>()
  const [isAllowed, setAllowed] = useState<boolean>()
  if (isAllowed !== undefined) return <Done isAllowed={isAllowed} />
  return request === undefined ? (
    <CodePage code={code} onFound={setRequest} />
  ) : (
    <BarePage title="Log a program in?">
      <Decision request={request} onDecided={setAllowed} />
    </BarePage>
  )
}

function CodePage({
  code,
  onFound,
}: {
  code?: string | undefined
  onFound: (request: DeviceRequest) => void
}) {
  const call = useMutation({ mutationFn: findDeviceRequest, onSuccess: onFound })
  return (
    <BarePage title="Log a program in">
      <Form
        error={call.error}
        fields={['user_code']}
        onSubmit={(values) => call.mutate(textOf(values, 'user_code'))}
      >
        <TextField
          label="Code"
          name="user_code"
          hint="As the program shows it, such as BCDF-GHJK."
          defaultValue={code ?? ''}
          autoComplete="off"
          isRequired
          className="[&_input]:font-mono"
        />
        <Button type="submit" variant="primary" isDisabled={call.isPending}>
          Continue
        </Button>
      </Form>
    </BarePage>
  )
}

interface DecisionProps {
  request: DeviceRequest
  onDecided: (isAllowed: boolean) => void
}

function Decision({ request, onDecided }: DecisionProps) {
  const { user_code: code } = request
  const call = useMutation({
    mutationFn: (allowance: Allowance | null) =>
      allowance === null ? denyDevice(code) : allowDevice(code, allowance),
    onSuccess: (_answer, allowance) => onDecided(allowance !== null),
  })
  return (
    <AllowanceForm
      request={request}
      error={call.error}
      isDecided={call.isPending || call.isSuccess}
      onAllow={(allowance) => call.mutate(allowance)}
      onDeny={() => call.mutate(null)}
    >
      <section className="flex flex-col gap-2 border-t border-line pt-4">
        <h2 className="text-sm text-muted">Its code</h2>
        <p className="font-mono text-lg">{code}</p>
        <Caution>
          Go on only if you started this program yourself and it shows the same code. Nobody of Flamegate ever
          asks you to type one.
        </Caution>
      </section>
    </AllowanceForm>
  )
}

function Done({ isAllowed }: { isAllowed: boolean }) {
  return (
    <BarePage title={isAllowed ? 'It is logged in' : 'It was refused'}>
      <p className="text-muted">
        {isAllowed
          ? 'Go back to the program; it goes on by itself. You find it under Connected apps.'
          : 'The program learns that you did not let it.'}
      </p>
    </BarePage>
  )
}
