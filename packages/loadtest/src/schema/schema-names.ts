import type { DocumentKind } from '../patch/parse-document.ts'

/** Names under which the JSON Schemas of documents are published: `vu` is `vu.json`. `designSchemas` makes them. */
export const schemaNames = {
  virtual_user: 'vu',
  variable: 'variables',
  http_server: 'http-servers',
  correlation_rule: 'correlation-rules',
  scenario: 'scenario',
  bench_report: 'bench-report',
  report_template: 'bench-report-template',
  sla_profile: 'sla-profile',
  monitor: 'monitor',
} as const satisfies Partial<Record<DocumentKind, string>>
