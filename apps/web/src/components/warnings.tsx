import { WarningIcon } from './icons.tsx'

/** What makes a thing less sure, or nothing when there is nothing. */
export function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <div className="flex gap-3 rounded-lg bg-caution-soft p-4">
      <span className="mt-0.5 text-caution">
        <WarningIcon />
      </span>
      <ul className="flex min-w-0 flex-col gap-1">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </div>
  )
}
