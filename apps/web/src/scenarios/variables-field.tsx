import { useState } from 'react'
import { TextArea } from '../components/text-area.tsx'
import { useSetValue } from '../documents/editing.ts'
import { isObject, isSame, textOf } from '../documents/json.ts'

/** Values that a profile gives to variables, one `name=value` on each line. */
export function VariablesField({ pointer, value }: { pointer: string; value: unknown }) {
  const set = useSetValue(pointer, 'Variables')
  const [typed, setTyped] = useState(linesOf(value))
  const shown = isSame(valuesIn(typed), value ?? {}) ? typed : linesOf(value)
  return (
    <TextArea
      label="Variables of this profile"
      name={pointer}
      lines={Math.min(8, Math.max(1, shown.split('\n').length))}
      placeholder="currency=EUR"
      hint="name=value, one on each line: in place of what the variables of the project give."
      isCode
      value={shown}
      onChange={(text) => {
        setTyped(text)
        set(valuesIn(text))
      }}
    />
  )
}

function linesOf(value: unknown): string {
  return isObject(value)
    ? Object.entries(value)
        .map(([name, each]) => `${name}=${textOf(each)}`)
        .join('\n')
    : ''
}

function valuesIn(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [name = '', ...rest] = line.split('=')
      return name.trim() === '' ? [] : [[name.trim(), rest.join('=')]]
    }),
  )
}
