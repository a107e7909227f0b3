import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Disclosure, DisclosurePanel, Heading, Button as PlainButton } from 'react-aria-components/Disclosure'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { formatBytes } from '@flamegate/contract'
import { Button, IconButton } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { Form } from '../components/form.tsx'
import { ChevronRight, CloseIcon } from '../components/icons.tsx'
import { ProgressBar } from '../components/progress-bar.tsx'
import { Select } from '../components/select.tsx'
import { TextArea } from '../components/text-area.tsx'
import { TextField } from '../components/text-field.tsx'
import { formatNames, guessFormat, headBytes, type ImportFormat } from './guess-format.ts'
import { importSource, type ImportSource } from './import-source.ts'
import { timelineOf } from './timeline.ts'

/** Choices of how a source becomes a virtual user, as they are typed. */
interface Options {
  name: string
  keepsThinkTimes: boolean
  thinkTimeMaxSeconds: string
  gapSeconds: string
  /** One container on each line. */
  timeline: string
  resources: 'embedded' | 'requests' | 'dropped'
  browser: 'page' | 'http'
  baseUrl: string
}

const usual: Options = {
  name: '',
  keepsThinkTimes: true,
  thinkTimeMaxSeconds: '60',
  gapSeconds: '2',
  timeline: '',
  resources: 'embedded',
  browser: 'page',
  baseUrl: '',
}

const unknown = 'not chosen'

/** Chooses what is imported and how, brings it to the platform, and leads to its report. */
export function ImportForm({ projectId }: { projectId: string }) {
  const navigate = useNavigate()
  const [file, setFile] = useState<File>()
  const [text, setText] = useState('')
  const [guessed, setGuessed] = useState<ImportFormat>()
  const [chosen, setChosen] = useState<ImportFormat>()
  const [options, setOptions] = useState(usual)
  const [share, setShare] = useState(0)
  const abort = useRef<AbortController>(undefined)
  const format = chosen ?? guessed
  const hasSource = file !== undefined || text.trim() !== ''
  const call = useMutation({
    mutationFn: (source: ImportSource) => {
      abort.current = new AbortController()
      setShare(0)
      return importSource(inputOf(projectId, format ?? 'har', options), source, {
        signal: abort.current.signal,
        onProgress: setShare,
      })
    },
  })
  const send = (source: ImportSource) =>
    call.mutate(source, {
      // Only who still waits for it is led there.
      onSuccess: (taskId) =>
        void navigate({ to: '/imports/$taskId', params: { taskId }, search: { project: projectId } }),
    })
  const take = async (next: File) => {
    setFile(next)
    setText('')
    setGuessed(guessFormat(next.name, await next.slice(0, headBytes).text()))
  }
  const change = (part: Partial<Options>) => setOptions((before) => ({ ...before, ...part }))
  if (call.isPending && file !== undefined) {
    return (
      <div className="flex flex-col items-start gap-4">
        <ProgressBar label={`Uploading ${file.name}`} percent={share * 100} />
        <Button onPress={() => abort.current?.abort()}>Call off</Button>
      </div>
    )
  }
  return (
    <div className="max-w-3xl">
      <Form
        error={call.error}
        fields={fieldNames}
        onSubmit={() => {
          if (hasSource && format !== undefined) send(file === undefined ? { text } : { file })
        }}
      >
        {file === undefined ? (
          <DropZone
            onDrop={({ items }) => {
              const dropped = items.find(({ kind }) => kind === 'file')
              if (dropped?.kind === 'file') void dropped.getFile().then(take)
            }}
            className="flex flex-col gap-4 rounded-lg border border-dashed border-line-strong p-5 data-drop-target:border-accent data-drop-target:bg-accent-soft"
          >
            <div className="flex flex-wrap items-center gap-3">
              <FileTrigger
                onSelect={(files) => {
                  const [next] = files ?? []
                  if (next !== undefined) void take(next)
                }}
              >
                <Button variant="primary">Choose a file…</Button>
              </FileTrigger>
              <span className="text-muted">or drop it here; up to 200 MB</span>
            </div>
            <TextArea
              label="Or paste text"
              lines={5}
              isCode
              placeholder={"curl 'https://shop.example.com/'\nhttps://shop.example.com/cart"}
              value={text}
              onChange={(next) => {
                setText(next)
                setGuessed(next.trim() === '' ? undefined : guessFormat('', next.slice(0, headBytes)))
              }}
            />
          </DropZone>
        ) : (
          <div className="flex items-center gap-3 rounded-lg border border-line bg-surface py-2 pr-2 pl-4">
            <span className="min-w-0 grow truncate">
              <span className="font-medium">{file.name}</span>{' '}
              <span className="text-muted">{formatBytes(file.size)}</span>
            </span>
            <IconButton
              label="Another source"
              onPress={() => {
                setFile(undefined)
                setGuessed(undefined)
              }}
            >
              <CloseIcon />
            </IconButton>
          </div>
        )}
        <Select
          label="What it is"
          name="format"
          value={format ?? unknown}
          onChange={(id) => setChosen(isFormat(id) ? id : undefined)}
          choices={[
            ...(format === undefined
              ? [{ id: unknown, label: hasSource ? 'Not recognised: choose one' : 'Seen from the source' }]
              : []),
            ...Object.entries(formatNames).map(([id, label]) => ({ id, label })),
          ]}
        />
        <TextField
          label="Name"
          name="name"
          maxLength={80}
          placeholder="As the source says"
          value={options.name}
          onChange={(name) => change({ name })}
        />
        <ImportOptions format={format} options={options} change={change} />
        <div className="flex justify-end">
          <Button
            type="submit"
            variant="primary"
            isDisabled={!hasSource || format === undefined || call.isPending}
          >
            {call.isPending ? 'Importing…' : 'Import'}
          </Button>
        </div>
      </Form>
    </div>
  )
}

const fieldNames = ['format', 'name', 'think_time_max_ms', 'container_gap_ms', 'timeline', 'base_url']

const ofBrowserTests: readonly ImportFormat[] = ['playwright', 'side', 'webdriver']
/** The formats that a choice means something for; others have no such choice. */
const formatsOf: Readonly<
  Record<'thinkTimes' | 'recording' | 'browser' | 'baseUrl', readonly ImportFormat[]>
> = {
  thinkTimes: ['har', 'jmx', ...ofBrowserTests],
  recording: ['har'],
  browser: ofBrowserTests,
  baseUrl: ['jmx', 'openapi', 'postman', 'curl', 'urls', ...ofBrowserTests],
}

function isFormat(id: string): id is ImportFormat {
  return Object.hasOwn(formatNames, id)
}

interface OptionsProps {
  format: ImportFormat | undefined
  options: Options
  change: (part: Partial<Options>) => void
}

function ImportOptions({ format, options, change }: OptionsProps) {
  const has = (choice: keyof typeof formatsOf) => format !== undefined && formatsOf[choice].includes(format)
  if (format === undefined || !Object.values(formatsOf).some((formats) => formats.includes(format)))
    return null
  return (
    <Disclosure className="group flex flex-col">
      <Heading level={2}>
        <PlainButton slot="trigger" className="flex items-center gap-1.5 rounded-sm py-1 font-medium">
          <span className="text-muted transition-transform group-data-expanded:rotate-90">
            <ChevronRight />
          </span>
          Options
        </PlainButton>
      </Heading>
      <DisclosurePanel>
        <div className="grid gap-4 pt-2 sm:grid-cols-2">
          {has('thinkTimes') ? (
            <>
              <div className="flex items-center sm:col-span-2">
                <Checkbox
                  isSelected={options.keepsThinkTimes}
                  onChange={(keepsThinkTimes) => change({ keepsThinkTimes })}
                >
                  {format === 'har' ? 'Think times as they were recorded' : 'Pauses as the source has them'}
                </Checkbox>
              </div>
              <TextField
                label="Longest think time (s)"
                name="think_time_max_ms"
                inputMode="decimal"
                isDisabled={!options.keepsThinkTimes}
                value={options.thinkTimeMaxSeconds}
                onChange={(thinkTimeMaxSeconds) => change({ thinkTimeMaxSeconds })}
              />
            </>
          ) : null}
          {has('recording') ? (
            <>
              <TextField
                label="A pause that begins a container (s)"
                name="container_gap_ms"
                inputMode="decimal"
                isDisabled={options.timeline.trim() !== ''}
                value={options.gapSeconds}
                onChange={(gapSeconds) => change({ gapSeconds })}
              />
              <TextArea
                label="Containers by time"
                name="timeline"
                className="sm:col-span-2"
                lines={3}
                isCode
                placeholder={'2026-11-21T10:00:00Z Log in\n2026-11-21T10:00:40Z Search'}
                hint="One a line: when it began, and its name. Instead of pages and pauses."
                value={options.timeline}
                onChange={(timeline) => change({ timeline })}
              />
              <Select
                label="Pictures, styles and scripts of pages"
                value={options.resources}
                onChange={(id) =>
                  change({ resources: id === 'requests' || id === 'dropped' ? id : 'embedded' })
                }
                choices={[
                  { id: 'embedded', label: 'With their page', note: 'loaded beside it, as a browser does' },
                  { id: 'requests', label: 'As requests of their own' },
                  { id: 'dropped', label: 'Left out' },
                ]}
              />
            </>
          ) : null}
          {has('browser') ? (
            <Select
              label="Tests of a browser"
              value={options.browser}
              onChange={(id) => change({ browser: id === 'http' ? 'http' : 'page' })}
              choices={[
                { id: 'page', label: 'As steps in a browser' },
                { id: 'http', label: 'As HTTP requests', note: 'where they can be told' },
              ]}
            />
          ) : null}
          {has('baseUrl') ? (
            <TextField
              label="Base URL"
              name="base_url"
              className="sm:col-span-2"
              placeholder="https://shop.example.com"
              hint="For addresses in the source that do not tell their host."
              value={options.baseUrl}
              onChange={(baseUrl) => change({ baseUrl })}
            />
          ) : null}
        </div>
      </DisclosurePanel>
    </Disclosure>
  )
}

function milliseconds(seconds: string): number {
  return Math.round(Number(seconds.replace(',', '.')) * 1000)
}

/** What is asked for; of the choices only those that its format has. */
function inputOf(projectId: string, format: ImportFormat, options: Options) {
  const has = (choice: keyof typeof formatsOf) => formatsOf[choice].includes(format)
  return {
    project_id: projectId,
    format,
    ...(has('thinkTimes')
      ? { think_time_max_ms: options.keepsThinkTimes ? milliseconds(options.thinkTimeMaxSeconds) : 0 }
      : {}),
    ...(has('recording')
      ? {
          container_gap_ms: milliseconds(options.gapSeconds),
          timeline: timelineOf(options.timeline),
          resources: options.resources,
        }
      : {}),
    ...(has('browser') ? { browser: options.browser } : {}),
    ...(options.name === '' ? {} : { name: options.name }),
    ...(has('baseUrl') && options.baseUrl !== '' ? { base_url: options.baseUrl } : {}),
  }
}
