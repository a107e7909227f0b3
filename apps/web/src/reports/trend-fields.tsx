import { useState } from 'react'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { anything } from './trend-of.ts'
import { useScenarioChoices } from './use-scenario-choices.ts'

const matches = [
  { id: 'contains', label: 'contains' },
  { id: 'equals', label: 'is' },
  { id: 'starts_with', label: 'begins with' },
  { id: 'ends_with', label: 'ends with' },
]

/** Which load tests a trend is over; they are found again whenever it is read. */
export function TrendFields({ projectId }: { projectId: string }) {
  const scenarios = useScenarioChoices(projectId)
  const [scenarioId, setScenarioId] = useState(anything)
  const [match, setMatch] = useState('contains')
  return (
    <fieldset className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
      <legend className="sr-only">Load tests</legend>
      <Select
        label="Of the scenario"
        name="scenario_id"
        value={scenarioId}
        onChange={setScenarioId}
        choices={[{ id: anything, label: 'Any' }, ...scenarios]}
        className="sm:col-span-2"
      />
      <Select label="Its name" name="match" value={match} onChange={setMatch} choices={matches} />
      <TextField label="Text" name="text" placeholder="anything" maxLength={80} />
      <TextField
        label="Tags"
        name="tags"
        placeholder="release, nightly"
        hint="It has all of them."
        className="sm:col-span-2"
      />
      <TextField label="Started after" name="after" type="date" />
      <TextField label="Started before" name="before" type="date" />
    </fieldset>
  )
}
