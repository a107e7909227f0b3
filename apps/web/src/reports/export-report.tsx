import { operations, type RawInputOf } from '@flamegate/contract'
import { useMutation } from '@tanstack/react-query'
import { client } from '../api.ts'
import { FormatMenu } from '../components/format-menu.tsx'
import { saveFile } from '../components/save-file.ts'
import { say } from '../components/toasts.tsx'
import { problemWords } from '../problem-words.ts'
import { TaskFailed } from '../task-failed.ts'

type Format = NonNullable<RawInputOf<typeof operations.exportBenchReportPdf>['format']>

const formats: readonly { format: Format; label: string; note: string }[] = [
  { format: 'pdf', label: 'PDF', note: 'A4, for printing and sending' },
  { format: 'html', label: 'HTML', note: 'one file that needs no network' },
]

/** Has a report printed, and saves what comes of it. */
export function ExportReport({ report }: { report: { id: string; name: string } }) {
  const call = useMutation({
    mutationFn: (format: Format) => printed(report.id, format),
    onSuccess: ({ url, name }) => saveFile(url, name),
    onError: (error) => say(`“${report.name}” cannot be exported: ${problemWords(error).detail}`),
  })
  return (
    <FormatMenu formats={formats} isPending={call.isPending} onExport={(format) => call.mutate(format)} />
  )
}

/** Waits for the task that prints. */
async function printed(reportId: string, format: Format): Promise<{ url: string; name: string }> {
  const { task_id: taskId } = await client.call(operations.exportBenchReportPdf, {
    bench_report_id: reportId,
    format,
  })
  for (;;) {
    const { task, next_poll_seconds: seconds } = await client.call(operations.getTaskResult, {
      task_id: taskId,
    })
    const fileId = task.result?.['file_id']
    if (typeof fileId === 'string') {
      const { download, name } = await client.call(operations.downloadFile, { file_id: fileId })
      return { url: download.url, name }
    }
    if (seconds === null) throw new TaskFailed(task.problem?.detail ?? 'Nothing was printed.')
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}
