import type { JobPayloads } from '../ports/index.ts'
import { endBenchRun } from './end-bench-run.ts'
import { endCapture } from './end-capture.ts'
import { exportWorkspace } from './export-workspace.ts'
import { importBenchResult } from './import-bench-result.ts'
import { importProfile } from './import-profile.ts'
import { importResults } from './import-results.ts'
import { importVirtualUser } from './import-virtual-user.ts'
import type { JobHandler, WatchHandler } from './job.ts'
import { makeResultFiles } from './make-result-files.ts'
import { printBenchReport } from './print-bench-report.ts'
import { removeExport } from './remove-export.ts'
import { runBenchShard } from './run-bench-shard.ts'
import { startScheduledRun } from './start-scheduled-run.ts'
import { storeProjectFile } from './store-project-file.ts'
import { validateVirtualUser } from './validate-virtual-user.ts'
import { watchRun } from './watch-run.ts'

/** Jobs that wait for what agents do. */
export const watchHandlers = {
  run_bench_shard: runBenchShard,
  end_bench_run: endBenchRun,
} satisfies Partial<Record<keyof JobPayloads, WatchHandler>>

/** Every other job by name; the compiler tells when one is missing. */
export const jobHandlers: { [N in Exclude<keyof JobPayloads, keyof typeof watchHandlers>]: JobHandler<N> } = {
  import_results: importResults,
  import_profile: importProfile,
  import_virtual_user: importVirtualUser,
  import_bench_result: importBenchResult,
  store_project_file: storeProjectFile,
  validate_virtual_user: validateVirtualUser,
  print_bench_report: printBenchReport,
  export_workspace: exportWorkspace,
  make_result_files: makeResultFiles,
  watch_run: watchRun,
  remove_export: removeExport,
  end_capture: endCapture,
  start_scheduled_run: startScheduledRun,
}
