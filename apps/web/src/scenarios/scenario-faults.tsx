import { WarningIcon } from '../components/icons.tsx'
import { comeIntoSight } from '../virtual-users/come-into-sight.ts'
import { type JsonObject, textOf, valueAt } from '../virtual-users/json.ts'

interface Props {
  /** By JSON pointer. */
  faults: Readonly<Record<string, string>>
  document: JsonObject
}

/** What saving was refused for, and of which profile. */
export function ScenarioFaults({ faults, document }: Props) {
  return (
    <div
      ref={comeIntoSight}
      role="alert"
      className="flex gap-3 rounded-lg border border-worse/30 bg-worse-soft p-4"
    >
      <span className="mt-0.5 text-worse">
        <WarningIcon />
      </span>
      <div className="min-w-0 grow">
        <p className="font-medium text-worse">It was not saved: this would not be valid</p>
        <ul className="mt-1 flex flex-col gap-1">
          {Object.entries(faults).map(([pointer, message]) => {
            const [place = ''] = /^\/profiles\/\d+/.exec(pointer) ?? []
            const name = place === '' ? '' : textOf(valueAt(document, `${place}/name`))
            return (
              <li key={pointer} className="min-w-0 break-words">
                {name === '' ? null : <span className="font-medium">{name} </span>}
                {pointer === place ? null : (
                  <code className="break-all">{pointer.slice(place.length)}</code>
                )}{' '}
                {message}
              </li>
            )
          })}
        </ul>
      </div>
    </div>
  )
}
