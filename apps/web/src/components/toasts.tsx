import {
  Button,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast'
import { CloseIcon } from './icons.tsx'

const queue = new ToastQueue<string>({ maxVisibleToasts: 3 })

/** Says in passing that something was done. Never the only place of an error. */
export function say(words: string): void {
  queue.add(words, { timeout: 5000 })
}

/** Where the words of `say` appear. */
export function Toasts() {
  return (
    <ToastRegion
      queue={queue}
      className="fixed right-4 bottom-4 z-40 flex max-w-[calc(100vw-2rem)] flex-col gap-2"
    >
      {({ toast }) => (
        <Toast
          toast={toast}
          className="animate-overlay flex items-center gap-3 rounded-lg border border-line bg-surface py-2 pr-2 pl-4 shadow-floating"
        >
          <ToastContent className="min-w-0 grow">
            <Text slot="title">{toast.content}</Text>
          </ToastContent>
          <Button
            slot="close"
            aria-label="Close"
            className="flex size-7 items-center justify-center rounded-sm text-muted hover:bg-hover"
          >
            <CloseIcon />
          </Button>
        </Toast>
      )}
    </ToastRegion>
  )
}
