import { Problem } from '@flamegate/contract'
import { Conflict } from '../ports/index.ts'

/** @throws Problem `last_owner` when the change would leave none */
export async function keepingAnOwner<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof Conflict) {
      throw new Problem(
        'last_owner',
        'A workspace keeps at least one owner. Make somebody else owner first.',
        { cause: error },
      )
    }
    throw error
  }
}
