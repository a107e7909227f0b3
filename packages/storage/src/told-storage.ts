import { Problem } from '@flamegate/contract'
import { mayComeBack, type ObjectStorage } from '@flamegate/operations/ports'

/** A request to the storage that is over, for whoever counts them. */
export interface EndedRequest {
  request: 'find' | 'read' | 'open' | 'receive' | 'write' | 'remove'
  hasFailed: boolean
  durationMs: number
}

/**
 * The same storage, which tells of every request that it answered. Links are made here, without a request.
 * @throws Problem `unavailable`, from each of them, where the storage is away
 */
export function toldStorage(storage: ObjectStorage, onRequest: (ended: EndedRequest) => void): ObjectStorage {
  async function told<T>(request: EndedRequest['request'], work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    let hasFailed = false
    try {
      return await work()
    } catch (error) {
      // RangeErrors are about what was sent.
      hasFailed = !(error instanceof RangeError)
      if (error instanceof Problem || !mayComeBack(error)) throw error
      throw Object.assign(
        new Problem('unavailable', 'The storage of files cannot be reached. Try again.', {
          retryAfterSeconds: 5,
        }),
        { cause: error },
      )
    } finally {
      onRequest({ request, hasFailed, durationMs: performance.now() - startedAt })
    }
  }
  return {
    ...storage,
    find: (key) => told('find', () => storage.find(key)),
    read: (key, options) => told('read', () => storage.read(key, options)),
    open: (key) => told('open', () => storage.open(key)),
    receive: (key, body, options) => told('receive', () => storage.receive(key, body, options)),
    write: (key, bytes, options) => told('write', () => storage.write(key, bytes, options)),
    remove: (key) => told('remove', () => storage.remove(key)),
  }
}
