import type { JobPayloads } from '../ports/index.ts'
import { endCapture } from './end-capture.ts'
import { importProfile } from './import-profile.ts'
import { importResults } from './import-results.ts'
import type { JobHandler } from './job.ts'
import { removeExport } from './remove-export.ts'
import { watchRun } from './watch-run.ts'

/** Every job by name; the compiler tells when one is missing. */
export const jobHandlers: { [N in keyof JobPayloads]: JobHandler<N> } = {
  import_results: importResults,
  import_profile: importProfile,
  watch_run: watchRun,
  remove_export: removeExport,
  end_capture: endCapture,
}
