import { Link } from '@tanstack/react-router'
import { BarePage } from '../shell/bare-page.tsx'
import { buttonClass } from './button.tsx'

interface Props {
  email: string
  /** Where to go on after logging in. */
  goOn: { interaction?: string | undefined; return_to?: string | undefined }
}

/** Shown after signing up, where the address has to be confirmed before one can log in. */
export function ConfirmYourEmail({ email, goOn }: Props) {
  return (
    <BarePage title="Look into your mailbox">
      <p className="mb-5 text-muted">
        We sent a mail to <strong className="break-all">{email}</strong>. Open the link in it, then log in
        here.
      </p>
      <Link to="/log-in" search={goOn} className={buttonClass('primary')}>
        Log in
      </Link>
    </BarePage>
  )
}
