import { operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { BenchmarkPicker } from '../components/benchmark-picker.tsx'
import { Button } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { say } from '../components/toasts.tsx'
import type { Benchmark } from './history.ts'
import { outdatedByBenchmark } from './outdated.ts'

/** Puts the history of another benchmark in front of this one. It cannot be taken back, so it is confirmed. */
export function MergeDialog({ benchmark, onClose }: { benchmark: Benchmark; onClose: () => void }) {
  const [from, setFrom] = useState('')
  const [isSure, setSure] = useState(false)
  const call = useCall(operations.mergeBenchmarks, [
    ...outdatedByBenchmark,
    operations.listPerformanceAlerts,
    operations.listThresholds,
  ])
  return (
    <Dialog title={`Merge another into ${benchmark.name}`} role="alertdialog" isOpen onClose={onClose}>
      <p className="text-muted">
        For a benchmark that was renamed in the code: results, profiles and alerts of the other one move here,
        and it is gone. Runs that have both keep the result of this one.
      </p>
      {call.error === null ? null : <ProblemNote error={call.error} isBrief />}
      <BenchmarkPicker
        label="The other benchmark"
        placeholder="A part of its uri"
        projectId={benchmark.project_id}
        without={benchmark.id}
        value={from}
        onChange={(id) => {
          setFrom(id)
          setSure(false)
        }}
      />
      <Checkbox isSelected={isSure} onChange={setSure} isDisabled={from === ''}>
        <span>The other benchmark is gone afterwards. This cannot be taken back.</span>
      </Checkbox>
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          variant="danger"
          isDisabled={!isSure || from === '' || call.isPending}
          onPress={() =>
            call.mutate(
              { benchmark_id: benchmark.id, from_benchmark_id: from },
              {
                onSuccess: ({ moved_result_count: count }) => {
                  say(
                    count === 1 ? 'One result moved here.' : `${count.toLocaleString()} results moved here.`,
                  )
                  onClose()
                },
              },
            )
          }
        >
          Merge
        </Button>
      </div>
    </Dialog>
  )
}
