import { durationText, readDuration } from '@flamegate/loadtest/scenario'
import { useState } from 'react'
import { TextField } from '../components/text-field.tsx'
import { useSetValue } from './editing.ts'
import { textOf } from './json.ts'

interface Props {
  label: string
  pointer: string
  value: unknown
  hint?: string | undefined
}

/** A time in milliseconds, written as people write times. What is none stays as it is typed, and saving tells so. */
export function DurationView({ label, pointer, value, hint }: Props) {
  const set = useSetValue(pointer, label)
  const [typed, setTyped] = useState(wordsOf(value))
  return (
    <TextField
      label={label}
      name={pointer}
      value={read(typed) === value ? typed : wordsOf(value)}
      onChange={(text) => {
        setTyped(text)
        set(read(text))
      }}
      placeholder="30 s"
      {...(hint === undefined ? {} : { hint })}
    />
  )
}

function read(text: string): number | string {
  return readDuration(text) ?? text
}

function wordsOf(value: unknown): string {
  return typeof value === 'number' ? durationText(value) : textOf(value)
}
