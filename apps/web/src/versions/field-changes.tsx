import type { AnswerOf, operations } from '@flamegate/contract'

type FieldChange = NonNullable<AnswerOf<typeof operations.listDesignObjectVersions>['changes']>[number]

/** What each field was and is. */
export function FieldChanges({ fields }: { fields: readonly FieldChange[] }) {
  return (
    <dl className="flex flex-col gap-2 text-sm">
      {fields.map(({ pointer, before, after }) => (
        <div key={pointer} className="flex min-w-0 flex-col gap-1">
          <dt className="font-mono break-all text-muted">{pointer}</dt>
          <dd className="grid min-w-0 gap-1 sm:grid-cols-2 sm:gap-2">
            <Value label="Before" value={before} tone="bg-worse-soft" />
            <Value label="After" value={after} tone="bg-better-soft" />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ label, value, tone }: { label: string; value: string | null; tone: string }) {
  return (
    <span className={`block min-w-0 rounded-sm px-2 py-1 ${tone}`}>
      <span className="sr-only">{label}: </span>
      {value === null ? (
        <span className="text-muted italic">nothing</span>
      ) : (
        <code className="break-all whitespace-pre-wrap">{value}</code>
      )}
    </span>
  )
}
