import { operations, type RawInputOf } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { CheckboxGroup } from '../components/checkbox-group.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { typedMs, typedNumber } from '../documents/typed-number.ts'
import { type BenchNotification, channels, eventWords } from './bench-notification.ts'
import { NewSecret } from './secret-dialog.tsx'

type Channel = BenchNotification['channel']
type Input = RawInputOf<typeof operations.setNotification>

interface Props {
  workspaceId: string
  projects: readonly { id: string; name: string }[]
  /** The one to change; a new one when left out. */
  notification?: BenchNotification
  onClose: () => void
}

type Match = NonNullable<BenchNotification['filter']['scenario_name']>['match']

const matches: readonly { id: Match; label: string }[] = [
  { id: 'contains', label: 'contains' },
  { id: 'equals', label: 'is' },
  { id: 'starts_with', label: 'starts with' },
  { id: 'ends_with', label: 'ends with' },
]
const anyProject = ''

/** Makes a notification, or changes one; what is secret is asked for and never shown. */
export function BenchNotificationDialog({ workspaceId, projects, notification, onClose }: Props) {
  const [channel, setChannel] = useState<Channel>(notification?.channel ?? 'email')
  const [events, setEvents] = useState<readonly string[]>(
    notification?.events ?? ['test_failed', 'test_error'],
  )
  const [match, setMatch] = useState<Match>(notification?.filter.scenario_name?.match ?? 'contains')
  const [projectId, setProjectId] = useState(notification?.filter.project_id ?? anyProject)
  const [isActive, setActive] = useState(notification?.is_active ?? true)
  const call = useCall(operations.setNotification, [operations.listNotifications])
  const secret = call.data?.secret
  if (typeof secret === 'string') {
    return (
      <Dialog title={`${call.data?.notification.name} is on`} isOpen onClose={onClose}>
        <NewSecret secret={secret} onDone={onClose} />
      </Dialog>
    )
  }

  function submit(values: FormData): void {
    const text = textOf(values, 'filter.scenario_name.text')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is no number is sent as it is, for the server to say so
    const filter = {
      scenario_name: text === '' ? null : { text, match },
      users_min: typedNumber(textOf(values, 'filter.users_min')),
      duration_ms_min: typedMs(textOf(values, 'filter.duration_ms_min')),
      project_id: projectId === anyProject ? null : projectId,
    } as Input['filter']
    call.mutate(
      {
        workspace_id: workspaceId,
        name: notification?.name ?? textOf(values, 'name'),
        ...(notification === undefined ? { channel } : { is_active: isActive }),
        ...targetOf(channel, values),
        events: keysOf(eventWords).filter((name) => events.includes(name)),
        filter,
      },
      {
        onSuccess: ({ secret: shown, notification: { name } }) => {
          if (shown !== null) return
          say(`${name} is saved.`)
          onClose()
        },
      },
    )
  }

  return (
    <Dialog
      title={notification === undefined ? 'New notification' : `Change ${notification.name}`}
      isOpen
      onClose={onClose}
    >
      <Form
        error={call.error}
        fields={[
          'name',
          'channel',
          'addresses',
          'target_url',
          'jira',
          'jira.base_url',
          'jira.email',
          'jira.project_key',
          'jira.issue_type',
          'jira.api_token',
          'events',
          'filter.scenario_name.text',
          'filter.users_min',
          'filter.duration_ms_min',
          'filter.project_id',
        ]}
        onSubmit={submit}
      >
        {notification === undefined ? (
          <>
            <TextField label="Name" name="name" maxLength={80} isRequired />
            <Select
              label="By"
              name="channel"
              choices={keysOf(channels).map((id) => ({ id, label: channels[id].label }))}
              value={channel}
              onChange={(id) => setChannel(keysOf(channels).find((each) => each === id) ?? channel)}
            />
          </>
        ) : null}
        <TargetFields channel={channel} notification={notification} />
        <CheckboxGroup
          label="It is told when"
          name="events"
          choices={keysOf(eventWords).map((id) => ({ id, label: eventWords[id] }))}
          value={events}
          onChange={setEvents}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <Select
            label="Scenarios whose name"
            choices={matches}
            value={match}
            onChange={(id) => setMatch(matches.find((each) => each.id === id)?.id ?? match)}
          />
          <TextField
            label="this text"
            name="filter.scenario_name.text"
            placeholder="any"
            defaultValue={notification?.filter.scenario_name?.text ?? ''}
            maxLength={80}
          />
          <TextField
            label="Users, at least"
            name="filter.users_min"
            inputMode="numeric"
            placeholder="any"
            defaultValue={String(notification?.filter.users_min ?? '')}
          />
          <TextField
            label="Seconds, at least"
            name="filter.duration_ms_min"
            inputMode="numeric"
            placeholder="any"
            defaultValue={String((notification?.filter.duration_ms_min ?? 0) / 1000 || '')}
          />
        </div>
        <Select
          label="Project"
          name="filter.project_id"
          choices={[
            { id: anyProject, label: 'Any' },
            ...projects.map(({ id, name }) => ({ id, label: name })),
          ]}
          value={projectId}
          onChange={setProjectId}
        />
        {notification === undefined ? null : (
          <Checkbox isSelected={isActive} onChange={setActive}>
            It is on
          </Checkbox>
        )}
        <FormButtons
          action={notification === undefined ? 'Create notification' : 'Save'}
          isDisabled={call.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}

interface TargetProps {
  channel: Channel
  notification: BenchNotification | undefined
}

/** Where messages go. An address that is a secret is written, and left empty to stay as it is. */
function TargetFields({ channel, notification }: TargetProps) {
  const { address } = channels[channel]
  const isNew = notification === undefined
  if (channel === 'email')
    return (
      <TextField
        key={channel}
        label={address}
        name="addresses"
        defaultValue={notification?.addresses.join(', ') ?? ''}
        isRequired
      />
    )
  if (channel === 'jira') {
    const jira = notification?.jira
    return (
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={address}
          name="jira.base_url"
          type="url"
          placeholder="https://acme.atlassian.net"
          defaultValue={jira?.base_url ?? ''}
          isRequired
        />
        <TextField
          label="E-mail of the account"
          name="jira.email"
          type="email"
          defaultValue={jira?.email ?? ''}
          isRequired
        />
        <TextField
          label="Project key"
          name="jira.project_key"
          placeholder="PERF"
          defaultValue={jira?.project_key ?? ''}
          isRequired
        />
        <TextField
          label="Type of issue"
          name="jira.issue_type"
          defaultValue={jira?.issue_type ?? 'Task'}
          isRequired
        />
        <TextField
          label="API token"
          name="jira.api_token"
          type="password"
          autoComplete="off"
          placeholder={isNew ? '' : 'as it is'}
          className="sm:col-span-2"
        />
      </div>
    )
  }
  return (
    <TextField
      key={channel}
      label={address}
      name="target_url"
      type="url"
      placeholder={isNew ? 'https://' : 'as it is'}
      hint={
        channel === 'http'
          ? 'Messages are posted there as JSON. It is stored encrypted, and never shown again; another one gets a new secret.'
          : 'It is stored encrypted, and never shown again.'
      }
      maxLength={2000}
    />
  )
}

/** What a form says of where messages go; what was left empty is left out. */
function targetOf(channel: Channel, values: FormData): Pick<Input, 'addresses' | 'target_url' | 'jira'> {
  const text = (name: string) => textOf(values, name).trim()
  if (channel === 'email')
    return {
      addresses: text('addresses')
        .split(/[\s,;]+/)
        .filter((address) => address !== ''),
    }
  if (channel === 'jira') {
    const token = text('jira.api_token')
    return {
      jira: {
        base_url: text('jira.base_url'),
        email: text('jira.email'),
        project_key: text('jira.project_key'),
        issue_type: text('jira.issue_type'),
        ...(token === '' ? {} : { api_token: token }),
      },
    }
  }
  const url = text('target_url')
  return url === '' ? {} : { target_url: url }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
const keysOf = <Key extends string>(of: Readonly<Record<Key, unknown>>) => Object.keys(of) as Key[]
