import { operations } from '@flamegate/contract'
import { reportRunsMax } from '@flamegate/loadtest/report'
import { useNavigate } from '@tanstack/react-router'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { say } from '../components/toasts.tsx'
import { problemWords } from '../problem-words.ts'

interface Props {
  projectId: string
  /** Ids; the first is what the others are compared with. */
  runIds: readonly string[]
  onClear: () => void
}

/** A bar with the way from some chosen load tests to a report that compares them; nothing when none is chosen. */
export function CompareRuns({ projectId, runIds, onClear }: Props) {
  const navigate = useNavigate()
  const call = useCall(operations.createReport, [operations.listBenchReports])
  if (runIds.length === 0) return null
  const compare = () =>
    call.mutate(
      { project_id: projectId, bench_result_ids: [...runIds] },
      {
        onSuccess: ({ bench_report: { id } }) =>
          void navigate({ to: '/reports/$reportId', params: { reportId: id } }),
        onError: (error) => say(`They cannot be compared: ${problemWords(error).detail}`),
      },
    )
  const mayCompare = runIds.length >= 2 && runIds.length <= reportRunsMax
  return (
    <section
      aria-label="Chosen load tests"
      className="sticky bottom-3 z-20 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-surface p-3 shadow-floating"
    >
      <Button variant="primary" isDisabled={!mayCompare || call.isPending} onPress={compare}>
        Compare
      </Button>
      <Button onPress={onClear}>Choose none</Button>
      <output className="ml-1 text-muted">
        {mayCompare
          ? `${runIds.length} chosen, compared with the one that was chosen first.`
          : runIds.length === 1
            ? 'Choose another one to compare it with.'
            : `A report has ${reportRunsMax} runs at most.`}
      </output>
    </section>
  )
}
