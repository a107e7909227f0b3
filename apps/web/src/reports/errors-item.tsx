import { formatShare, operations } from '@flamegate/contract'
import { useContext, useState } from 'react'
import { useAnswer } from '../api.ts'
import { errorWords } from '../bench-results/error-words.ts'
import { SampleExchange } from '../bench-results/sample-exchange.tsx'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { PrintedContext } from '../shell/printed.ts'
import type { ValuesOf } from './report-source.ts'
import { useReportSource } from './use-report-source.ts'

type ErrorRow = ValuesOf<'errors'>['errors'][number]

interface Props {
  title: string
  /** Place in the report of the run that they are of. */
  run: number
  values: ValuesOf<'errors'>
}

/** Errors by action and class; members of the workspace can look at some of the requests. */
export function ErrorsItem({ title, run, values }: Props) {
  const { isShared } = useReportSource()
  const isPrinted = useContext(PrintedContext)
  const [chosen, setChosen] = useState<ErrorRow>()
  return (
    <>
      <DataTable
        label={title}
        rows={values.errors}
        rowKey={({ action, error_class }) => `${action} ${error_class}`}
        whenEmpty="Nothing failed."
        columns={[
          {
            key: 'error',
            title: 'Error',
            render: ({ error_class }) => <Badge tone="worse">{errorWords(error_class)}</Badge>,
          },
          {
            key: 'action',
            title: 'Action',
            grow: true,
            render: ({ name }) => <span className="break-words">{name}</span>,
          },
          {
            key: 'count',
            title: 'Count',
            align: 'right',
            sortBy: ({ count }) => count,
            render: ({ count }) => count.toLocaleString('en'),
          },
          {
            key: 'share',
            title: 'Share of the action',
            align: 'right',
            sortBy: ({ share }) => share,
            render: ({ share }) => formatShare(share),
          },
          ...(isShared || isPrinted
            ? []
            : [
                {
                  key: 'samples',
                  title: 'Samples',
                  align: 'right' as const,
                  render: (row: ErrorRow) => <SampleButton row={row} onPress={() => setChosen(row)} />,
                },
              ]),
        ]}
      />
      {chosen === undefined ? null : <Samples run={run} row={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

function SampleButton({ row, onPress }: { row: ErrorRow; onPress: () => void }) {
  const count = row.sample_ids.length
  if (count === 0) return <span className="text-muted">none kept</span>
  const words = count === 1 ? 'One sample' : `${count} samples`
  return (
    <Button aria-label={`${words} of ${row.name}: ${errorWords(row.error_class)}`} onPress={onPress}>
      {words}
    </Button>
  )
}

interface SamplesProps {
  run: number
  row: ErrorRow
  onClose: () => void
}

function Samples({ run, row, onClose }: SamplesProps) {
  const { reportId } = useReportSource()
  const [sampleId, setSampleId] = useState(row.sample_ids[0] ?? '')
  const query = useAnswer(operations.getReportErrors, {
    bench_report_id: reportId,
    run,
    sample_id: sampleId,
  })
  return (
    <Dialog title={`${errorWords(row.error_class)}: ${row.name}`} isOpen onClose={onClose} wide>
      {row.sample_ids.length > 1 ? (
        <Select
          label="Sample"
          hideLabel
          className="w-full max-w-60"
          value={sampleId}
          onChange={setSampleId}
          choices={row.sample_ids.map((id, index) => ({
            id,
            label: `Sample ${index + 1} of ${row.sample_ids.length}`,
          }))}
        />
      ) : null}
      <Answer query={query} skeleton={<SkeletonBlock height="16rem" />}>
        {({ sample }) =>
          sample === null ? null : (
            <div className="flex min-w-0 flex-col gap-3">
              <h3 className="break-words">
                {sample.message}{' '}
                <time dateTime={sample.at} className="text-muted">
                  {new Date(sample.at).toLocaleTimeString()}
                </time>
              </h3>
              {sample.exchange === null ? (
                <p className="text-muted">Nothing was sent.</p>
              ) : (
                <SampleExchange exchange={sample.exchange} />
              )}
            </div>
          )
        }
      </Answer>
    </Dialog>
  )
}
