import type { operations, OutputOf } from '@flamegate/contract'
import type { ShareLink } from '../ports/index.ts'

export function shareLinkOnWire(link: ShareLink): OutputOf<typeof operations.getShareLink>['share_link'] {
  return {
    id: link.id,
    profile_id: link.profileId,
    bench_report_id: link.benchReportId,
    public: link.isPublic,
    view: link.view,
    expires_at: link.expiresAt.toISOString(),
    created_at: link.createdAt.toISOString(),
  }
}
