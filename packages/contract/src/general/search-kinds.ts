/** What `search` finds and `fetch` gives the text of. */
export const searchKinds = ['project', 'run', 'benchmark', 'profile', 'virtual_user', 'report'] as const
export type SearchKind = (typeof searchKinds)[number]
