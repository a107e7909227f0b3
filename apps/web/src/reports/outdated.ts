import { operations } from '@flamegate/contract'

/** What is asked for again when a report was changed. */
export const outdatedByReportChange = [
  operations.getBenchReport,
  operations.getReportItemValues,
  operations.listBenchReportVersions,
  operations.listBenchReports,
]
