import type { ReactNode } from 'react'

/** Icons are decoration: the words next to them, or the button's name, say the same. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className="size-4 shrink-0"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  )
}

export const ChevronDown = () => (
  <Icon>
    <path d="m4 6 4 4 4-4" />
  </Icon>
)
export const ChevronRight = () => (
  <Icon>
    <path d="m6 4 4 4-4 4" />
  </Icon>
)
export const ArrowUp = () => (
  <Icon>
    <path d="M8 13V3M4 7l4-4 4 4" />
  </Icon>
)
export const ArrowDown = () => (
  <Icon>
    <path d="M8 3v10M4 9l4 4 4-4" />
  </Icon>
)
export const CheckIcon = () => (
  <Icon>
    <path d="m3 8.5 3.5 3.5L13 4.5" />
  </Icon>
)
export const CloseIcon = () => (
  <Icon>
    <path d="m4 4 8 8M12 4l-8 8" />
  </Icon>
)
export const CopyIcon = () => (
  <Icon>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5" />
  </Icon>
)
export const SearchIcon = () => (
  <Icon>
    <circle cx="7" cy="7" r="4.5" />
    <path d="m10.5 10.5 3 3" />
  </Icon>
)
export const PlusIcon = () => (
  <Icon>
    <path d="M8 3v10M3 8h10" />
  </Icon>
)
export const WarningIcon = () => (
  <Icon>
    <path d="M8 2.5 14 13H2zM8 6.5v3M8 11.3v.1" />
  </Icon>
)
export const FlameIcon = () => (
  <Icon>
    <path d="M2 13.5h12M2 10h9M4 6.5h5M5 3h2" />
  </Icon>
)
export const PlugIcon = () => (
  <Icon>
    <path d="M6 2v3M10 2v3M4 5h8v3a4 4 0 0 1-8 0zM8 12v2.5" />
  </Icon>
)
export const MoreIcon = () => (
  <Icon>
    <path strokeWidth="2.2" d="M3 8h.01M8 8h.01M13 8h.01" />
  </Icon>
)
export const EqualIcon = () => (
  <Icon>
    <path d="M4 6.5h8M4 9.5h8" />
  </Icon>
)
export const WaveIcon = () => (
  <Icon>
    <path d="M2 8c1.5-4 3-4 4.5 0s3 4 4.5 0 2-3 3-2" />
  </Icon>
)
export const MinusIcon = () => (
  <Icon>
    <path d="M3 8h10" />
  </Icon>
)

export const ExchangeIcon = () => (
  <Icon>
    <path d="M3 5.5h9M9.5 3 12 5.5 9.5 8M13 10.5H4M6.5 8 4 10.5 6.5 13" />
  </Icon>
)
export const FolderIcon = () => (
  <Icon>
    <path d="M2 4.5A1.5 1.5 0 0 1 3.5 3h3L8 4.5h4.5A1.5 1.5 0 0 1 14 6v5.5a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 11.5z" />
  </Icon>
)
export const ClockIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 5v3l2 1.5" />
  </Icon>
)
export const PacingIcon = () => (
  <Icon>
    <path d="M2.5 4v8M13.5 4v8M4.5 8h7M9.5 6l2 2-2 2" />
  </Icon>
)
export const BranchIcon = () => (
  <Icon>
    <path d="M3 8h3l5-4M6 8l5 4M9 3.5h3v3M9 12.5h3v-3" />
  </Icon>
)
export const LoopIcon = () => (
  <Icon>
    <path d="M13 8a5 5 0 0 1-9.2 2.7M3 8a5 5 0 0 1 9.2-2.7M12.5 2.5v3h-3M3.5 13.5v-3h3" />
  </Icon>
)
export const DiceIcon = () => (
  <Icon>
    <rect x="2.5" y="2.5" width="11" height="11" rx="2" />
    <path strokeWidth="2" d="M5.5 5.5h.01M10.5 5.5h.01M8 8h.01M5.5 10.5h.01M10.5 10.5h.01" />
  </Icon>
)
export const OnceIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M7 6l1.3-.8v5.6" />
  </Icon>
)
export const CodeIcon = () => (
  <Icon>
    <path d="M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5" />
  </Icon>
)
export const WindowIcon = () => (
  <Icon>
    <rect x="2" y="3" width="12" height="10" rx="1.5" />
    <path d="M2 6h12M4.2 4.5h.01M6 4.5h.01" />
  </Icon>
)
export const GripIcon = () => (
  <Icon>
    <path strokeWidth="1.8" d="M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01" />
  </Icon>
)
export const UndoIcon = () => (
  <Icon>
    <path d="M5.5 3 2.5 6l3 3M2.5 6H9a4 4 0 0 1 0 8H6" />
  </Icon>
)
export const RedoIcon = () => (
  <Icon>
    <path d="m10.5 3 3 3-3 3M13.5 6H7a4 4 0 0 0 0 8h3" />
  </Icon>
)
export const GearIcon = () => (
  <Icon>
    <path d="M2 4.5h6M11 4.5h3M2 11.5h3M8 11.5h6" />
    <circle cx="9.5" cy="4.5" r="1.5" />
    <circle cx="6.5" cy="11.5" r="1.5" />
  </Icon>
)

/** The product's mark: three bars of a flame graph. */
export function Mark({ className = 'size-6' }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className={className}>
      <path fill="#d9480f" d="M3 17h18v4H3z" />
      <path fill="#f08c00" d="M3 11.5h12v4H3z" />
      <path fill="#fab005" d="M6 6h6v4H6z" />
    </svg>
  )
}
