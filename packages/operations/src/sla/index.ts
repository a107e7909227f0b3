export { deleteSlaProfile } from './delete-sla-profile.ts'
export { listSlaProfiles } from './list-sla-profiles.ts'
export { restoreSlaProfile } from './restore-sla-profile.ts'
export { setSlaProfile } from './set-sla-profile.ts'
