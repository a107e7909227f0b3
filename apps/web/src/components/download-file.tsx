import { operations } from '@flamegate/contract'
import { useMutation } from '@tanstack/react-query'
import { client } from '../api.ts'
import { problemWords } from '../problem-words.ts'
import { Button } from './button.tsx'
import { saveFile } from './save-file.ts'
import { say } from './toasts.tsx'

interface Props {
  fileId: string
  label?: string
  /** Tells it from others beside it. */
  fileName?: string
}

/** A button that downloads a file as it was uploaded. Its URL is asked for on press, because it expires. */
export function DownloadFile({ fileId, label = 'Download', fileName }: Props) {
  const call = useMutation({
    mutationFn: () => client.call(operations.downloadFile, { file_id: fileId }),
    onSuccess: ({ download, name }) => saveFile(download.url, name),
    onError: (error) => say(`The file cannot be downloaded: ${problemWords(error).detail}`),
  })
  return (
    <Button
      isDisabled={call.isPending}
      aria-label={fileName === undefined ? undefined : `${label} ${fileName}`}
      onPress={() => call.mutate()}
    >
      {label}
    </Button>
  )
}
