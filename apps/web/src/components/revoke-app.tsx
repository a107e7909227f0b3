import { operations } from '@flamegate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { say } from './toasts.tsx'

/** A button that cuts a connected app off, after a question. */
export function RevokeApp({ app }: { app: { id: string; client_name: string } }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const call = useCall(operations.revokeConnectedApp, [operations.listConnectedApps])
  return (
    <>
      <Button variant="danger" onPress={() => setOpen(true)}>
        Revoke access
      </Button>
      <ConfirmDialog
        title={`Cut ${app.client_name} off?`}
        action="Revoke"
        isOpen={isOpen}
        isPending={call.isPending}
        error={call.error}
        onClose={() => setOpen(false)}
        onConfirm={() =>
          call.mutate(
            { connected_app_id: app.id },
            {
              onSuccess: () => {
                say(`${app.client_name} is cut off.`)
                void navigate({ to: '/connected-apps' })
              },
            },
          )
        }
      >
        Its tokens stop working within a second. It can ask you again.
      </ConfirmDialog>
    </>
  )
}
