import { useBlocker } from '@tanstack/react-router'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'

/** Asks before the page is left while something on it is not saved. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({
    // What of the page is shown is in its address, too: to change that is not to leave.
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog title="Leave without saving?" role="alertdialog" isOpen onClose={blocker.reset}>
      <p className="text-muted">What you changed here is lost then.</p>
      <div className="flex justify-end gap-2">
        <Button onPress={blocker.reset}>Stay</Button>
        <Button variant="danger" onPress={blocker.proceed}>
          Leave
        </Button>
      </div>
    </Dialog>
  )
}
