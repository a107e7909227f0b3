import { exampleShareLink } from '../profiles/share-link-shapes.ts'

/** A public link to a report. */
export const exampleReportLink = {
  ...exampleShareLink,
  profile_id: null,
  bench_report_id: 'rep_01',
  public: true,
  view: {},
}
