import { formatBytes, operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Facts } from './facts.tsx'

/** What a workspace uses. Left out while it is not known: it is beside the point of the page. */
export function UsageFacts({ workspaceId }: { workspaceId: string }) {
  const { data } = useAnswer(operations.getUsage, { workspace_id: workspaceId })
  if (data === undefined) return null
  const { plan, usage, limits } = data
  return (
    <section aria-labelledby="usage" className="flex flex-col gap-3 border-t border-line pt-6">
      <h2 id="usage" className="text-lg font-semibold">
        Usage
      </h2>
      <Facts
        entries={{
          Plan: plan,
          Members: usage.members.toLocaleString(),
          Runs: usage.runs.toLocaleString(),
          'Benchmark results': usage.benchmark_results.toLocaleString(),
          Profiles: usage.profiles.toLocaleString(),
          Storage: formatBytes(usage.storage_bytes),
          'Load test results': formatBytes(usage.result_bytes),
          'Load test files': formatBytes(usage.result_file_bytes),
          'Live apps': `${formatBytes(usage.live_app_bytes)}, ${formatBytes(limits.live_app_bytes)} of each at most`,
          'Live recordings':
            limits.live_recording_bytes === null
              ? formatBytes(usage.live_recording_bytes)
              : `${formatBytes(usage.live_recording_bytes)} of ${formatBytes(limits.live_recording_bytes)}`,
          'Largest upload': formatBytes(limits.upload_bytes),
          'Calls a minute': limits.calls_per_minute?.toLocaleString() ?? 'not limited',
        }}
      />
    </section>
  )
}
