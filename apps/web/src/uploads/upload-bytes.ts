import { TaskFailed } from '../task-failed.ts'

interface Upload {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
}

/**
 * Sends bytes with a presigned request. `fetch` does not tell how much of a body was sent.
 * @param onProgress Told the share that was sent, 0 to 1
 * @throws TaskFailed in words for people
 */
export function uploadBytes(
  upload: Upload,
  bytes: Blob,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(upload.method, upload.url)
    for (const [name, value] of Object.entries(upload.headers)) {
      // Browsers send this one themselves, and let nobody else.
      if (name.toLowerCase() !== 'content-length') request.setRequestHeader(name, value)
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve()
      else reject(new TaskFailed(`The file was not taken: the storage answered ${request.status}.`))
    })
    request.addEventListener('error', () =>
      reject(new TaskFailed('The file could not be sent. Check your connection and try again.')),
    )
    request.addEventListener('abort', () => reject(new TaskFailed('The upload was called off.')))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(bytes)
  })
}
