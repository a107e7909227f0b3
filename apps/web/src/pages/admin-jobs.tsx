import { type AnswerOf, operations } from '@flamegate/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { actionsColumn } from '../components/actions-column.tsx'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { usePages } from '../paged.ts'
import { AdminPage } from '../shell/admin-page.tsx'

type Jobs = AnswerOf<typeof operations.listJobs>
type Queue = Jobs['queues'][number]
type FailedJob = Jobs['failed_jobs'][number]
type JobName = FailedJob['name']

const names: Record<JobName, string> = {
  import_results: 'Import results',
  import_profile: 'Import a profile',
  import_virtual_user: 'Import a virtual user',
  import_bench_result: 'Import a bench result',
  store_project_file: 'Store a project file',
  watch_run: 'Judge a run',
  remove_export: 'Remove an export',
  validate_virtual_user: 'Validate a virtual user',
  print_bench_report: 'Print a report',
  export_workspace: 'Export a workspace',
  make_result_files: 'Make result files',
  end_capture: 'End a capture',
  start_scheduled_run: 'Start a scheduled run',
  run_bench_shard: 'Part of a bench run',
  end_bench_run: 'End a bench run',
}

/** What waits to be done, and what could not be. For administrators of the installation. */
export function AdminJobsPage() {
  return (
    <AdminPage title="Jobs" lead="What workers have to do, and what they gave up in the last week">
      <Queues />
      <FailedJobs />
    </AdminPage>
  )
}

function Queues() {
  const query = useAnswer(operations.listJobs, { limit: 1 }, { pollWhile: () => true, pollEveryMs: 5000 })
  return (
    <Section title="Queues">
      <Answer query={query} skeleton={<SkeletonTable rows={2} />}>
        {({ queues }) => (
          <DataTable
            label="Queues"
            rows={queues}
            rowKey={({ queue }) => queue}
            whenEmpty="There is no queue."
            columns={[
              { key: 'queue', title: 'Queue', grow: true, render: ({ queue }) => <code>{queue}</code> },
              countOf('Waiting', ({ waiting }) => waiting),
              countOf('Active', ({ active }) => active),
              { ...countOf('Delayed', ({ delayed }) => delayed), hideBelow: 'sm' },
              { ...countOf('After others', ({ blocked }) => blocked), hideBelow: 'sm' },
              countOf('Failed', ({ failed }) => failed),
              {
                key: 'oldest',
                title: 'Next waits for',
                align: 'right',
                hideBelow: 'sm',
                render: ({ waiting, oldest_waiting_ms }) =>
                  waiting === 0 ? '–' : `${Math.round(oldest_waiting_ms / 1000).toLocaleString()} s`,
              },
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}

function countOf(title: string, count: (queue: Queue) => number) {
  return {
    key: title,
    title,
    align: 'right' as const,
    render: (queue: Queue) => count(queue).toLocaleString(),
  }
}

function FailedJobs() {
  const [name, setName] = useState<JobName>()
  const [removing, setRemoving] = useState<FailedJob>()
  const { query, more } = usePages(
    operations.listJobs,
    { limit: 50, ...(name === undefined ? {} : { name }) },
    ({ failed_jobs, next_cursor }) => ({ rows: failed_jobs, nextCursor: next_cursor }),
  )
  return (
    <Section
      title="Failed"
      aside={
        <Select
          label="Kind"
          hideLabel
          choices={[
            { id: 'all', label: 'All kinds' },
            ...Object.entries(names).map(([id, label]) => ({ id, label })),
          ]}
          value={name ?? 'all'}
          onChange={(id) => setName(isJobName(id) ? id : undefined)}
          className="w-56"
        />
      }
    >
      <Answer query={query} skeleton={<SkeletonTable rows={5} />}>
        {(jobs) => (
          <>
            <FailedTable jobs={jobs} onRemove={setRemoving} />
            <div className="flex flex-wrap items-center justify-between gap-3 pt-3 empty:hidden">
              <RetryAll jobs={jobs.filter((job) => job.can_retry)} />
              <LoadMore {...more} />
            </div>
          </>
        )}
      </Answer>
      {removing === undefined ? null : <Removal job={removing} onClose={() => setRemoving(undefined)} />}
    </Section>
  )
}

interface TableProps {
  jobs: readonly FailedJob[]
  onRemove: (job: FailedJob) => void
}

function FailedTable({ jobs, onRemove }: TableProps) {
  const retry = useCall(operations.retryJob, [operations.listJobs])
  const doAgain = ({ job_id, name }: FailedJob) =>
    retry.mutate({ job_id }, { onSuccess: () => say(`${names[name]}: queued again.`) })
  return (
    <div className="flex flex-col gap-3">
      {retry.error === null ? null : <ProblemNote error={retry.error} />}
      <DataTable
        label="Failed jobs"
        rows={jobs}
        rowKey={({ job_id }) => job_id}
        stacks
        whenEmpty="No job has failed."
        columns={[
          {
            key: 'job',
            title: 'Job',
            grow: true,
            render: ({ name, reason }) => (
              <span className="flex min-w-0 flex-col">
                <span className="font-medium">{names[name]}</span>
                <span className="text-sm break-words text-muted">{reason}</span>
              </span>
            ),
          },
          {
            key: 'about',
            title: 'About',
            hideBelow: 'lg',
            render: ({ task_id, workspace_id }) => (
              <span className="flex max-w-64 flex-col text-sm">
                <code className="truncate">{workspace_id}</code>
                <code className="truncate text-muted">{task_id}</code>
              </span>
            ),
          },
          {
            key: 'attempts',
            title: 'Attempts',
            align: 'right',
            hideBelow: 'sm',
            render: ({ attempts }) => attempts.toLocaleString(),
          },
          { key: 'failed', title: 'Failed', render: ({ failed_at }) => <When at={failed_at} /> },
          actionsColumn((job: FailedJob) => ({
            of: `${names[job.name]} ${job.job_id}`,
            actions: [
              ...(job.can_retry ? [{ label: 'Do again', onAction: () => doAgain(job) }] : []),
              { label: 'Take off the list…', onAction: () => onRemove(job) },
            ],
          })),
        ]}
      />
    </div>
  )
}

/** After what all of them failed of was mended. */
function RetryAll({ jobs }: { jobs: readonly FailedJob[] }) {
  const [isPending, setPending] = useState(false)
  const retry = useCall(operations.retryJob, [])
  const queries = useQueryClient()
  if (jobs.length < 2) return null
  async function retryAll() {
    setPending(true)
    let count = 0
    for (const { job_id } of jobs) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, because there are many
      const isQueued = await retry.mutateAsync({ job_id }).then(
        () => true,
        () => false,
      )
      if (isQueued) count += 1
    }
    setPending(false)
    say(`${count} of ${jobs.length} jobs are queued again.`)
    await queries.invalidateQueries({ queryKey: [operations.listJobs.id] })
  }
  return (
    <Button isDisabled={isPending} onPress={() => void retryAll()}>
      Do these {jobs.length.toLocaleString()} again
    </Button>
  )
}

function Removal({ job, onClose }: { job: FailedJob; onClose: () => void }) {
  return (
    <ConfirmCall
      title="Take this job off the list?"
      action="Take off"
      operation={operations.removeJob}
      input={{ job_id: job.job_id }}
      outdates={[operations.listJobs]}
      onClose={onClose}
    >
      {job.can_retry
        ? 'It cannot be done again then. What it was for stays as it is.'
        : 'What it was for has ended, and stays as it is.'}
    </ConfirmCall>
  )
}

function isJobName(id: string): id is JobName {
  return id in names
}
