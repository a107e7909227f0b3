import { operations } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmCall } from './confirm-call.tsx'
import { say } from './toasts.tsx'

/** A button that cuts a connected app off, after a question. */
export function RevokeApp({ app }: { app: { id: string; client_name: string } }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  return (
    <>
      <Button variant="danger" onPress={() => setOpen(true)}>
        Revoke access
      </Button>
      {isOpen ? (
        <ConfirmCall
          title={`Cut ${app.client_name} off?`}
          action="Revoke"
          operation={operations.revokeConnectedApp}
          input={{ connected_app_id: app.id }}
          outdates={[operations.listConnectedApps]}
          onDone={() => {
            say(`${app.client_name} is cut off.`)
            void navigate({ to: '/connected-apps' })
          }}
          onClose={() => setOpen(false)}
        >
          Its tokens stop working within a second. It can ask you again.
        </ConfirmCall>
      ) : null}
    </>
  )
}
