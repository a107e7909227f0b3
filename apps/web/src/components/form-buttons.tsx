import { Button } from './button.tsx'

interface Props {
  /** The verb on the button that sends. */
  action: string
  variant?: 'primary' | 'danger'
  isDisabled?: boolean
  onCancel: () => void
}

/** The end of a form in a dialog: to leave it, or to send it. */
export function FormButtons({ action, variant = 'primary', isDisabled = false, onCancel }: Props) {
  return (
    <div className="mt-1 flex justify-end gap-2">
      <Button onPress={onCancel}>Cancel</Button>
      <Button type="submit" variant={variant} isDisabled={isDisabled}>
        {action}
      </Button>
    </div>
  )
}
