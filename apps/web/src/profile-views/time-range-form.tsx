import { type FormEvent, useState } from 'react'
import { Button } from '../components/button.tsx'
import { FormMessages } from '../components/form-messages.ts'
import { stretchFaults } from '../components/stretch-faults.ts'
import { TextField } from '../components/text-field.tsx'

interface Props {
  fromMs: number | undefined
  toMs: number | undefined
  /** Of the profile. */
  endMs: number
  onChoose: (range: readonly [fromMs: number, toMs: number] | undefined) => void
}

/** The stretch of time as numbers, for those who do not drag. */
export function TimeRangeForm({ fromMs, toMs, endMs, onChoose }: Props) {
  const [from, setFrom] = useState(fromMs === undefined ? '' : String(fromMs))
  const [to, setTo] = useState(toMs === undefined ? '' : String(toMs))
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const choose = (event: FormEvent) => {
    event.preventDefault()
    const range = [Number(from), to.trim() === '' ? endMs : Number(to)] as const
    const found = stretchFaults(...range, '1500')
    setFaults(found)
    if (Object.keys(found).length === 0) onChoose(range)
  }
  return (
    <FormMessages value={faults}>
      <form onSubmit={choose} className="flex flex-wrap items-end gap-2">
        <TextField
          label="From, ms"
          name="from"
          inputMode="decimal"
          value={from}
          onChange={setFrom}
          className="w-28"
        />
        <TextField
          label="To, ms"
          name="to"
          inputMode="decimal"
          value={to}
          onChange={setTo}
          className="w-28"
        />
        <Button type="submit">Show</Button>
        {fromMs === undefined && toMs === undefined ? null : (
          <Button variant="quiet" onPress={() => onChoose(undefined)}>
            All times
          </Button>
        )}
      </form>
    </FormMessages>
  )
}
