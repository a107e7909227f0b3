import { WarningIcon } from '../components/icons.tsx'
import { comeIntoSight } from './come-into-sight.ts'
import { isObject, type JsonObject, valueAt } from './json.ts'

interface Props {
  /** By JSON pointer. */
  faults: Readonly<Record<string, string>>
  document: JsonObject
  /** The list whose parts are named before what is wrong with them. */
  list: string
  nameOf: (part: JsonObject) => string
}

/** What saving a document was refused for, and of which of its parts. */
export function FaultsNote({ faults, document, list, nameOf }: Props) {
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
            const place = placeIn(list, pointer)
            const part = place === '' ? undefined : valueAt(document, place)
            return (
              <li key={pointer} className="min-w-0 break-words">
                {isObject(part) ? <span className="font-medium">{nameOf(part)} </span> : null}
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

/** The pointer to the part of the list that a pointer leads into; empty where it does not. */
function placeIn(list: string, pointer: string): string {
  const [, name, index] = pointer.split('/')
  return name === list && index !== undefined && /^\d+$/.test(index) ? `/${name}/${index}` : ''
}
