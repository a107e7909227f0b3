import { seriesCssColor } from './series-colors.ts'

/** Which colour is whose, for charts of more than one. */
export function ColorKey({ names }: { names: readonly string[] }) {
  if (names.length < 2) return null
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {names.map((name, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two may have the same name; their order is fixed
        <li key={index} className="flex min-w-0 items-center gap-1.5">
          <span
            aria-hidden="true"
            className="w-4 shrink-0 border-t-2"
            style={{ borderColor: seriesCssColor(index) }}
          />
          <span className="min-w-0 break-words">{name}</span>
        </li>
      ))}
    </ul>
  )
}
