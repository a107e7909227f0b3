import {
  Button,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast'
import { CloseIcon } from './icons.tsx'

interface Said {
  words: string
  /** What can be done about it at once. */
  action: SaidAction | undefined
}

interface SaidAction {
  label: string
  onPress: () => void
}

const queue = new ToastQueue<Said>({ maxVisibleToasts: 3 })

/** Says in passing that something was done, and perhaps how to undo it. Never the only place of an error. */
export function say(words: string, action?: SaidAction): void {
  queue.add({ words, action }, { timeout: action === undefined ? 5000 : 10_000 })
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
            <Text slot="title">{toast.content.words}</Text>
          </ToastContent>
          {toast.content.action === undefined ? null : (
            <Button
              className="rounded-sm px-2 py-1 font-medium text-accent hover:bg-hover"
              onPress={() => {
                toast.content.action?.onPress()
                queue.close(toast.key)
              }}
            >
              {toast.content.action.label}
            </Button>
          )}
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
