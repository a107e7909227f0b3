import type { JobPayloads } from '../ports/index.ts'
import { endCapture } from './end-capture.ts'
import { importProfile } from './import-profile.ts'
import { importResults } from './import-results.ts'
import { importVirtualUser } from './import-virtual-user.ts'
import type { JobHandler } from './job.ts'
import { removeExport } from './remove-export.ts'
import { storeProjectFile } from './store-project-file.ts'
import { validateVirtualUser } from './validate-virtual-user.ts'
import { watchRun } from './watch-run.ts'

/** Every job by name; the compiler tells when one is missing. */
export const jobHandlers: { [N in keyof JobPayloads]: JobHandler<N> } = {
  import_results: importResults,
  import_profile: importProfile,
  import_virtual_user: importVirtualUser,
  store_project_file: storeProjectFile,
  validate_virtual_user: validateVirtualUser,
  watch_run: watchRun,
  remove_export: removeExport,
  end_capture: endCapture,
}
