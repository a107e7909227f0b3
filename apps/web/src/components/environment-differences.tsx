import type { AnswerOf, operations } from '@flamegate/contract'
import { CheckIcon, WarningIcon } from './icons.tsx'

type Differences = AnswerOf<typeof operations.compareRuns>['environment_differences']

/** What differs between the machines and toolchains of two runs and matters: it comes before any number. */
export function EnvironmentDifferences({ differences: all }: { differences: Differences }) {
  const differences = all.filter(({ matters }) => matters)
  if (differences.length === 0) {
    return (
      <p className="flex items-center gap-2 text-muted">
        <span className="text-better">
          <CheckIcon />
        </span>
        Both runs come from the same environment.
      </p>
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
      <div className="overflow-x-auto">
        <table className="text-left">
          <thead className="text-sm text-muted">
            <tr>
              <th scope="col" className="pr-6 font-medium">
                What
              </th>
              <th scope="col" className="pr-6 font-medium">
                Base
              </th>
              <th scope="col" className="font-medium">
                Head
              </th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ name, base, head }) => (
              <tr key={name} className="align-top">
                <th scope="row" className="pr-6 font-medium">
                  {name}
                </th>
                <td className="pr-6">{base ?? 'not told'}</td>
                <td>{head ?? 'not told'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
