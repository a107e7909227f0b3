import { NotSavedNote } from './not-saved-note.tsx'
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
    <NotSavedNote>
      {Object.entries(faults).map(([pointer, message]) => {
        const place = placeIn(list, pointer)
        const part = place === '' ? undefined : valueAt(document, place)
        return (
          <li key={pointer} className="min-w-0 break-words">
            {isObject(part) ? <span className="font-medium">{nameOf(part)} </span> : null}
            {pointer === place ? null : <code className="break-all">{pointer.slice(place.length)}</code>}{' '}
            {message}
          </li>
        )
      })}
    </NotSavedNote>
  )
}

/** The pointer to the part of the list that a pointer leads into; empty where it does not. */
function placeIn(list: string, pointer: string): string {
  const [, name, index] = pointer.split('/')
  return name === list && index !== undefined && /^\d+$/.test(index) ? `/${name}/${index}` : ''
}
