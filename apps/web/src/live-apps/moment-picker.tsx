import { type AnswerOf, operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { type Choice, Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { isoTime, localTime } from './local-time.ts'

interface Props {
  legend: string
  projectId: string
  /** Id of a live app or of a recording. */
  source: string | undefined
  /** Said where no source has to be chosen. */
  unchosen?: string
  until: string | undefined
  untilHint: string
  onSource: (id: string | undefined) => void
  onUntil: (iso: string | undefined) => void
}

const none = 'none'
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** One of the two sides of a comparison: which app or recording, and up to when. */
export function MomentPicker({
  legend,
  projectId,
  source,
  unchosen,
  until,
  untilHint,
  onSource,
  onUntil,
}: Props) {
  const apps = useAnswer(operations.listLiveApps, { project_id: projectId }).data?.live_apps ?? []
  const recordings =
    useAnswer(operations.listLiveRecordings, { project_id: projectId, limit: 100 }).data?.live_recordings ??
    []
  const choices: Choice[] = [
    ...(unchosen === undefined ? [] : [{ id: none, label: unchosen }]),
    ...apps.map(({ id, name }) => ({ id, label: name, note: 'Live app' })),
    ...recordings.map(choiceOfRecording),
  ]
  const isListed = source === undefined || choices.some(({ id }) => id === source)
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-4 pt-2">
      <legend className="px-1 font-semibold">{legend}</legend>
      <div className="flex flex-wrap gap-3">
        <Select
          label="What"
          choices={isListed ? choices : [...choices, { id: source, label: source }]}
          value={source ?? none}
          onChange={(id) => onSource(id === none ? undefined : id)}
          className="grow basis-48"
        />
        <TextField
          key={source}
          label="Up to"
          type="datetime-local"
          hint={untilHint}
          defaultValue={localTime(until)}
          onChange={(local) => onUntil(isoTime(local))}
          className="grow basis-56"
        />
      </div>
    </fieldset>
  )
}

function choiceOfRecording({
  id,
  name,
  app,
  to,
}: AnswerOf<typeof operations.listLiveRecordings>['live_recordings'][number]): Choice {
  return { id, label: name, note: `Recording of ${app}, ${exact.format(new Date(to))}` }
}
