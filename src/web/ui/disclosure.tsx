import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

export interface DisclosureProps {
  label: string
  /** Whether it is initially expanded. */
  startsOpen?: boolean
  /** Only called while it is expanded. */
  children: () => ReactNode
}

/** A heading that collapses the content below it. */
export function Disclosure({ label, startsOpen = false, children }: DisclosureProps) {
  const [open, setOpen] = useState(startsOpen)
  const id = useId()
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex items-center gap-1.5 rounded-sm text-ui text-text-2 hover:text-text pointer-coarse:min-h-11"
      >
        <ChevronDown className={`size-4 transition-transform ${open ? '' : '-rotate-90'}`} />
        {label}
      </button>
      <div id={id} hidden={!open} className="mt-2 min-w-0">
        {open && children()}
      </div>
    </>
  )
}
