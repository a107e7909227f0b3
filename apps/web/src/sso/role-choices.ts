/** Roles that people can come with by themselves. */
export const roleChoices = [
  { id: 'viewer', label: 'viewer', note: 'sees everything' },
  { id: 'member', label: 'member', note: 'uploads and changes projects' },
  { id: 'admin', label: 'admin', note: 'manages members, reads the audit log' },
] as const

export type SsoRole = (typeof roleChoices)[number]['id']
