import { operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { type BenchResult, isOver } from './bench-state.tsx'

/** Ends a load test, after a question; nothing for who may not, or when it has ended. */
export function StopBench({ run }: { run: BenchResult }) {
  const [isOpen, setOpen] = useState(false)
  const mayStop = useMayInProject(run.project_id, 'member')
  const call = useCall(operations.stopBenchResult, [operations.getBenchResult, operations.listBenchResults])
  if (!mayStop || isOver(run)) return null
  const isStopping = run.state === 'STOPPING' || call.isSuccess
  return (
    <>
      <Button variant="danger" isDisabled={isStopping} onPress={() => setOpen(true)}>
        {isStopping ? 'Stopping…' : 'Stop'}
      </Button>
      <ConfirmDialog
        title={`Stop ${run.name}?`}
        action="Stop it"
        isOpen={isOpen}
        isPending={call.isPending}
        error={call.error}
        onClose={() => setOpen(false)}
        onConfirm={() => call.mutate({ bench_result_id: run.id }, { onSuccess: () => setOpen(false) })}
      >
        Its users end within seconds. What was measured so far stays; it cannot be gone on with.
      </ConfirmDialog>
    </>
  )
}
