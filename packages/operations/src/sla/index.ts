export { deleteSlaProfile } from './delete-sla-profile.ts'
export { listSlaProfiles } from './list-sla-profiles.ts'
export { setSlaProfile } from './set-sla-profile.ts'
