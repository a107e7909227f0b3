import { durationText, readDuration } from '@flamegate/loadtest/scenario'
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import type { TimeSpan } from './time-span.ts'

interface Props {
  span: TimeSpan
  /** In seconds since the run began; undefined for all of it. */
  onChange: (span: { from: number; to: number } | undefined) => void
}

/** Which part of the run the charts and tables are of, and the way to another one. */
export function TimeSpanBar({ span: { from_second: from, to_second: to }, onChange }: Props) {
  const [isWriting, setWriting] = useState(false)
  if (isWriting) {
    const choose = (values: FormData) => {
      const [first, last] = ['from', 'to'].map((name) =>
        Math.floor((readDuration(textOf(values, name)) ?? Number.NaN) / 1000),
      )
      if (first === undefined || last === undefined || !(last > first)) return
      onChange({ from: first, to: last })
      setWriting(false)
    }
    return (
      <Form error={null} fields={[]} onSubmit={choose}>
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
            placeholder="1 min 30 s"
            className="w-32"
            defaultValue={to === undefined ? '' : durationText(to * 1000)}
          />
          <Button type="submit">Show</Button>
          <Button variant="quiet" onPress={() => setWriting(false)}>
            Cancel
          </Button>
        </div>
      </Form>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-muted">
        {from === undefined || to === undefined
          ? 'All of the run. Drag over a chart for a part of it.'
          : `From ${durationText(from * 1000)} to ${durationText(to * 1000)}, charts and tables.`}
      </span>
      <Button variant="quiet" onPress={() => setWriting(true)}>
        Choose the time
      </Button>
      {from === undefined ? null : <Button onPress={() => onChange(undefined)}>Show all</Button>}
    </div>
  )
}
