import { durationText, readDuration } from '@flamegate/loadtest/scenario'
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { FormMessages } from '../components/form-messages.ts'
import { Form, textOf } from '../components/form.tsx'
import { stretchFaults } from '../components/stretch-faults.ts'
import { TextField } from '../components/text-field.tsx'
import type { TimeSpan } from './time-span.ts'

interface Props {
  span: TimeSpan
  /** In seconds since the run began, up to its end where that is all that is known; undefined for all of it. */
  onChange: (span: { from: number; to: number | undefined } | undefined) => void
}

/** Which part of the run the charts and tables are of, and the way to another one. */
export function TimeSpanBar({ span: { from_second: from, to_second: to }, onChange }: Props) {
  const [isWriting, setWriting] = useState(false)
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const write = (isNext: boolean) => {
    setFaults({})
    setWriting(isNext)
  }
  if (isWriting) {
    const choose = (values: FormData) => {
      const [first, last] = [typedSecond(textOf(values, 'from')) ?? 0, typedSecond(textOf(values, 'to'))]
      const found = stretchFaults(first, last ?? Infinity, '1 min 30 s')
      if (Object.keys(found).length > 0) return setFaults(found)
      onChange({ from: first, to: last })
      return write(false)
    }
    return (
      <Form error={null} fields={[]} onSubmit={choose}>
        <FormMessages value={faults}>
          <div className="flex flex-wrap items-end gap-2">
            <TextField
              label="From"
              name="from"
              className="w-24"
              defaultValue={durationText((from ?? 0) * 1000)}
            />
            <TextField
              label="To"
              name="to"
              placeholder="The end"
              className="w-32"
              defaultValue={to === undefined ? '' : durationText(to * 1000)}
            />
            <Button type="submit">Show</Button>
            <Button variant="quiet" onPress={() => write(false)}>
              Cancel
            </Button>
          </div>
        </FormMessages>
      </Form>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-muted">
        {from === undefined
          ? 'All of the run. Drag over a chart for a part of it.'
          : `From ${durationText(from * 1000)} to ${to === undefined ? 'the end' : durationText(to * 1000)}, charts and tables.`}
      </span>
      <Button variant="quiet" onPress={() => write(true)}>
        Choose the time
      </Button>
      {from === undefined ? null : <Button onPress={() => onChange(undefined)}>Show all</Button>}
    </div>
  )
}

/** Undefined when nothing was typed, NaN when it is no time. */
function typedSecond(text: string): number | undefined {
  return text.trim() === '' ? undefined : Math.floor((readDuration(text) ?? Number.NaN) / 1000)
}
