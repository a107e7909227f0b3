import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal'
import { IconButton } from './button.tsx'
import { CloseIcon } from './icons.tsx'

interface Props {
  title: string
  isOpen: boolean
  onClose: () => void
  /** `alertdialog` for questions that must be answered. */
  role?: 'dialog' | 'alertdialog'
  /** Twice as wide, for tables and charts. */
  wide?: boolean
  children: ReactNode
}

/** A modal dialog with a title. Escape and a press beside it close it. */
export function Dialog({ title, isOpen, onClose, role = 'dialog', wide = false, children }: Props) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      isDismissable
      className="fixed inset-0 z-30 flex items-start justify-center overflow-y-auto bg-[rgb(15_12_8/45%)] p-4 pt-[12vh]"
    >
      <Modal
        className={`animate-overlay w-full ${wide ? 'max-w-4xl' : 'max-w-lg'} rounded-lg border border-line bg-surface shadow-floating`}
      >
        <AriaDialog role={role} className="relative flex flex-col gap-4 p-5 outline-none">
          <Heading slot="title" className="pr-10 text-lg font-semibold break-words">
            {title}
          </Heading>
          {children}
          {/* Last, so that the first Tab leads to what the dialog is about. */}
          <IconButton label="Close" onPress={onClose} className="absolute! top-3.5 right-3">
            <CloseIcon />
          </IconButton>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
