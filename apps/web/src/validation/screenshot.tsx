import { operations } from '@flamegate/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { client } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'

/** What the browser showed at the end of a page action: a stored picture. */
export function Screenshot({ fileId }: { fileId: string }) {
  const query = useQuery({
    queryKey: [operations.downloadFile.id, 'picture', fileId],
    queryFn: ({ signal }) => loadPicture(fileId, signal),
    staleTime: Infinity,
  })
  return (
    <Answer query={query} skeleton={<SkeletonBlock height="18rem" />}>
      {(picture) => <Painted picture={picture} />}
    </Answer>
  )
}

async function loadPicture(fileId: string, signal: AbortSignal): Promise<Blob> {
  const { download } = await client.call(operations.downloadFile, { file_id: fileId }, { signal })
  const response = await fetch(download.url, { headers: download.headers, signal })
  if (!response.ok) throw new Error(`The storage answered ${response.status}.`)
  return response.blob()
}

/** Painted, because our pages show pictures from nowhere but their own files. */
function Painted({ picture }: { picture: Blob }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const target = canvas.current
    if (target !== null) void paint(picture, target)
  }, [picture])
  return (
    <canvas
      ref={canvas}
      aria-label="What the browser showed"
      className="h-auto max-w-full rounded-md border border-line"
    />
  )
}

async function paint(picture: Blob, canvas: HTMLCanvasElement): Promise<void> {
  const bitmap = await createImageBitmap(picture)
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
}
