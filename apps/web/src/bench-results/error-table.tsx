import { type AnswerOf, formatShare, type operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Badge } from '../components/badge.tsx'
import { buttonClass, IconButton } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { CloseIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import { errorWords } from './error-words.ts'
import { requestWords, SampleExchange } from './sample-exchange.tsx'

type Table = AnswerOf<typeof operations.getBenchTable>
type Sample = Table['samples'][number]

interface Props extends Pick<Table, 'errors' | 'samples'> {
  /** Id of the sample that is looked at. */
  chosen: string | undefined
  onChoose: (sample: string | undefined) => void
}

/** What failed, how often, and some of those that did. */
export function ErrorTable({ errors, samples, chosen, onChoose }: Props) {
  const sample = samples.find(({ id }) => id === chosen)
  const alike = ({ action, error_class }: Pick<Sample, 'action' | 'error_class'>) =>
    samples.filter((each) => each.action === action && each.error_class === error_class)
  return (
    <div className="flex flex-col gap-4">
      <DataTable
        label="Errors"
        rows={errors}
        rowKey={({ action, error_class }) => `${action} ${error_class}`}
        stacks
        whenEmpty="Nothing failed."
        columns={[
          {
            key: 'error',
            title: 'Error',
            grow: true,
            render: ({ name, error_class }) => (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <Badge tone="worse">{errorWords(error_class)}</Badge>
                <span className="min-w-0 break-words">{name}</span>
              </span>
            ),
          },
          {
            key: 'count',
            title: 'Count',
            align: 'right',
            sortBy: ({ count }) => count,
            render: ({ count }) => (
              <span>
                {count.toLocaleString('en')}
                <span className="text-muted sm:hidden"> times</span>
              </span>
            ),
          },
          {
            key: 'share',
            title: 'Share of the action',
            align: 'right',
            sortBy: ({ share }) => share,
            render: ({ share }) => formatShare(share),
          },
          {
            key: 'samples',
            title: 'Samples',
            align: 'right',
            render: (row) => {
              const own = alike(row)
              const [first] = own
              const words = own.length === 1 ? 'One sample' : `${own.length} samples`
              return first === undefined ? (
                <span className="text-muted">none kept</span>
              ) : (
                <Link
                  to="."
                  search={(before: Record<string, string>) => ({ ...before, sample: first.id })}
                  resetScroll={false}
                  aria-label={`${words} of ${row.name}: ${errorWords(row.error_class)}`}
                  className={buttonClass()}
                >
                  {words}
                </Link>
              )
            },
          },
        ]}
      />
      {sample === undefined ? null : (
        <ChosenSample key={sample.id} sample={sample} alike={alike(sample)} onChoose={onChoose} />
      )}
    </div>
  )
}

interface ChosenProps {
  sample: Sample
  alike: readonly Sample[]
  onChoose: Props['onChoose']
}

function ChosenSample({ sample, alike, onChoose }: ChosenProps) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <section
      ref={section}
      aria-label="Chosen sample"
      className="relative flex min-w-0 scroll-my-4 flex-col gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <div className="flex min-w-0 flex-col gap-1 pr-10">
        <h3 className="font-semibold break-words">{sample.name}</h3>
        <p className="break-words">
          {errorWords(sample.error_class)}: {sample.message}
        </p>
        <p className="text-sm text-muted">
          <time dateTime={sample.at}>{new Date(sample.at).toLocaleTimeString()}</time>
        </p>
      </div>
      {alike.length > 1 ? (
        <Select
          label="Sample"
          hideLabel
          className="w-full max-w-lg"
          value={sample.id}
          onChange={onChoose}
          choices={alike.map((each, index) => ({
            id: each.id,
            label: `${index + 1}. ${requestWords(each.exchange) || each.message}`,
            note: new Date(each.at).toLocaleTimeString(),
          }))}
        />
      ) : null}
      {sample.exchange === null ? (
        <p className="text-muted">Nothing was sent.</p>
      ) : (
        <SampleExchange exchange={sample.exchange} />
      )}
      <IconButton label="Close" onPress={() => onChoose(undefined)} className="absolute! top-2.5 right-2.5">
        <CloseIcon />
      </IconButton>
    </section>
  )
}
