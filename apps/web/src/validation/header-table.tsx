import { pairHeaders, type Header } from './pair-headers.ts'

interface Props {
  label: string
  /** Null where there is no recording. */
  recorded: readonly Header[] | null
  replayed: readonly Header[]
}

const looks = {
  same: '',
  changed: 'bg-caution-soft',
  added: 'bg-better-soft',
  removed: 'bg-worse-soft',
} as const

/** Headers of the recording and of the replay, side by side. */
export function HeaderTable({ label, recorded, replayed }: Props) {
  const pairs = pairHeaders(recorded ?? replayed, replayed)
  if (pairs.length === 0) return <p className="text-muted">No headers.</p>
  return (
    <div className="overflow-hidden rounded-md border border-line">
      <table aria-label={label} className="w-full table-fixed border-collapse text-left text-sm">
        <thead className="text-muted max-sm:hidden">
          <tr className="border-b border-line">
            <th scope="col" className="w-44 px-3 py-1.5 font-medium">
              Header
            </th>
            {recorded === null ? null : (
              <th scope="col" className="px-3 py-1.5 font-medium">
                Recorded
              </th>
            )}
            <th scope="col" className="px-3 py-1.5 font-medium">
              {recorded === null ? 'Value' : 'Replayed'}
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {[...pairs.entries()].map(([at, { name, before, after, change }]) => (
            <tr
              key={at}
              className={`border-b border-line align-top last:border-b-0 max-sm:block max-sm:py-1 ${looks[change]}`}
            >
              <th scope="row" className="px-3 py-1 font-medium break-words max-sm:block">
                {name}
              </th>
              {recorded === null ? null : <Value label="Recorded" value={before} />}
              <Value label="Replayed" value={after} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Value({ label, value }: { label: string; value: string | null }) {
  return (
    <td className="px-3 py-1 font-mono break-all max-sm:block">
      {value === null ? (
        <span className="text-muted">
          –<span className="sr-only">not {label.toLowerCase()}</span>
        </span>
      ) : (
        value
      )}
    </td>
  )
}
