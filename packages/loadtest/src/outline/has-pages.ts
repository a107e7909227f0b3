import type { VirtualUser } from '../model/virtual-user.ts'
import { walkActions } from './walk-actions.ts'

/** Whether a virtual user needs a browser. */
export function hasPages(user: Pick<VirtualUser, 'actions'>): boolean {
  return [...walkActions(user)].some(({ action }) => action.type === 'page' && action.enabled)
}
