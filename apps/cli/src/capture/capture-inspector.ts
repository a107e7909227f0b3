import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { uploadLimits } from '@flamegate/contract/upload-shapes'
import { z } from 'zod'
import { CaptureFailed, type Capture } from './capture-request.ts'
import { openInspector, type Inspector } from './inspector.ts'
import { untilOver } from './until-over.ts'

const defaultSeconds = 10
const profiled = z.object({ profile: z.record(z.string(), z.unknown()) })
const snapshotChunk = z.object({ chunk: z.string() })

/**
 * Profiles a Node.js that runs, by the Chrome DevTools Protocol of its inspector: the CPU, what is allocated and kept
 * meanwhile, or a snapshot of the whole heap. The program was started with `--inspect`, or told by SIGUSR1.
 * https://chromedevtools.github.io/devtools-protocol/v8/
 */
export const captureInspector: Capture = async (request, { folder, interruption }) => {
  const inspector = await openInspector('url' in request.target ? request.target.url : '')
  const seconds = request.seconds ?? defaultSeconds
  try {
    switch (request.type) {
      case 'heap_snapshot':
        return { files: [await takeSnapshot(inspector, folder)], exitCode: 0 }
      case 'heap':
        return { files: [await sampleHeap()], exitCode: 0 }
      default:
        return { files: [await sampleCpu()], exitCode: 0 }
    }
  } finally {
    inspector.close()
  }

  async function sampleCpu(): Promise<string> {
    await inspector.send('Profiler.enable')
    await inspector.send('Profiler.start')
    await Promise.race([untilOver(seconds, interruption), inspector.closed])
    const profile = profileIn(await inspector.send('Profiler.stop'))
    await inspector.send('Profiler.disable')
    return write('cpu.cpuprofile', profile)
  }

  async function sampleHeap(): Promise<string> {
    await inspector.send('HeapProfiler.startSampling')
    await Promise.race([untilOver(seconds, interruption), inspector.closed])
    const profile = profileIn(await inspector.send('HeapProfiler.stopSampling'))
    return write('heap.heapprofile', profile)
  }

  async function write(name: string, profile: object): Promise<string> {
    const file = join(folder, name)
    await writeFile(file, JSON.stringify(profile))
    return file
  }
}

function profileIn(result: unknown): object {
  const read = profiled.safeParse(result)
  if (read.success) return read.data.profile
  throw new CaptureFailed('The inspector answered without a profile.')
}

/** Its chunks go to disk as they come: a snapshot is as large as the heap. */
async function takeSnapshot(inspector: Inspector, folder: string): Promise<string> {
  const path = join(folder, 'heap.heapsnapshot')
  const file = createWriteStream(path)
  inspector.on('HeapProfiler.addHeapSnapshotChunk', (params) => {
    file.write(snapshotChunk.parse(params).chunk)
  })
  await inspector.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  file.end()
  await finished(file)
  if (file.bytesWritten > uploadLimits.uploadBytes) {
    throw new CaptureFailed(
      `The snapshot has ${file.bytesWritten} bytes, and an upload at most ${uploadLimits.uploadBytes}. Take a heap profile instead.`,
    )
  }
  return path
}
