import { type AnswerOf, formatQuantity, operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { DataTable } from '../components/data-table.tsx'
import { DownloadFile } from '../components/download-file.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import type { BenchResult } from './bench-state.tsx'

type File = AnswerOf<typeof operations.listFiles>['files'][number]

const kinds: Partial<Record<File['kind'], string>> = {
  request_log: 'Every request, a row each',
  agent_log: 'What an agent said of its work',
  failed_exchanges: 'Samples of what failed, as HAR',
  page_trace: 'A page action, for the trace viewer of Playwright',
  report: 'Print of the report',
}

/** What a load test left to be downloaded, when it has ended. */
export function ResultFiles({ run }: { run: BenchResult }) {
  const query = useAnswer(
    operations.listFiles,
    { owner: run.id, limit: 100 },
    { pollWhile: ({ files }) => files.some(({ status }) => status === 'PENDING') },
  )
  return (
    <Section title="Files">
      <Answer query={query} skeleton={<SkeletonTable rows={2} />}>
        {({ files }) => <FileTable files={files} />}
      </Answer>
    </Section>
  )
}

function FileTable({ files }: { files: readonly File[] }) {
  return (
    <DataTable
      label="Files"
      rows={files.toSorted((one, other) => one.name.localeCompare(other.name))}
      rowKey={({ id }) => id}
      stacks
      whenEmpty="No files. A scenario may ask for every request as a row of a file, under Result files."
      columns={[
        {
          key: 'name',
          title: 'Name',
          grow: true,
          render: ({ name, kind }) => (
            <span className="block min-w-0 break-words">
              <span className="font-medium">{name}</span>{' '}
              <span className="text-muted">{kinds[kind] ?? ''}</span>
            </span>
          ),
        },
        {
          key: 'size',
          title: 'Size',
          align: 'right',
          render: ({ size_bytes: size, status }) =>
            status === 'PENDING' ? <Badge>being made</Badge> : formatQuantity(size, 'bytes'),
        },
        {
          key: 'download',
          title: 'Download',
          align: 'right',
          render: ({ id, name, status }) =>
            status === 'PENDING' ? null : <DownloadFile fileId={id} fileName={name} />,
        },
      ]}
    />
  )
}
