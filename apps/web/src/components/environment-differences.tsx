import type { AnswerOf, operations } from '@flamegate/contract'
import { CheckIcon, WarningIcon } from './icons.tsx'

type Differences = AnswerOf<typeof operations.compareRuns>['environment_differences']

/** What differs between the machines and toolchains of two runs, before any number; what is of no weight is folded. */
export function EnvironmentDifferences({ differences }: { differences: Differences }) {
  const mattering = differences.filter(({ matters }) => matters)
  const minor = differences.filter(({ matters }) => !matters)
  if (mattering.length === 0) {
    return (
      <div className="flex flex-col gap-2">
        <p className="flex items-center gap-2 text-muted">
          <span className="text-better">
            <CheckIcon />
          </span>
          {minor.length === 0
            ? 'Both runs come from the same environment.'
            : 'Both runs come from the same environment, as far as it matters.'}
        </p>
        <MinorDifferences differences={minor} />
      </div>
    )
  }
  return (
    <section aria-labelledby="environments" className="flex flex-col gap-3 rounded-lg bg-caution-soft p-4">
      <h2 id="environments" className="flex items-center gap-2 font-semibold">
        <span className="text-caution">
          <WarningIcon />
        </span>
        The environments differ, so the change may not come from the code
      </h2>
      <p>To be sure, measure base again where head was measured, and compare with that run.</p>
      <DifferenceList differences={mattering} />
      <MinorDifferences differences={minor} />
    </section>
  )
}

function MinorDifferences({ differences }: { differences: Differences }) {
  if (differences.length === 0) return null
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm text-muted">
        {differences.length === 1
          ? 'One difference of no weight'
          : `${differences.length} differences of no weight`}
      </summary>
      <div className="pt-3">
        <DifferenceList differences={differences} />
      </div>
    </details>
  )
}

function DifferenceList({ differences }: { differences: Differences }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 wrap-anywhere sm:grid-cols-[minmax(8rem,max-content)_1fr]">
      {differences.map(({ name, base, head, reason }) => (
        <div key={name} className="sm:contents">
          <dt className="font-medium">{name}</dt>
          <dd>
            {base ?? 'not told'} <span aria-hidden="true">→</span>
            <span className="sr-only">became</span> {head ?? 'not told'}
            <span className="block text-sm text-muted">{reason}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
