import { t } from '@lingui/core/macro'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { CopyButton } from './copy-button.tsx'

export interface CodeBlockProps {
  /** Names the block, e.g. "Python client initialisation". */
  label: string
  /** What Copy puts on the clipboard. */
  text: string
  /** The code to show: plain text or text with `CodeString` and `CodeKeyword` spans. Default: `text`. */
  children?: ReactNode
  /** Adds a header that folds the code away. */
  collapsible?: boolean
  /** Blurred until pointed at, focused or tapped: for screens that are shared. */
  blurred?: boolean
  /** Long code scrolls inside its block. */
  limited?: boolean
}

export const CodeString = ({ children }: { children: ReactNode }) => (
  <span className="text-accent-text">{children}</span>
)
export const CodeKeyword = ({ children }: { children: ReactNode }) => <span className="text-violet">{children}</span>
export const CodeComment = ({ children }: { children: ReactNode }) => <span className="text-text-3">{children}</span>

export function CodeBlock({ label, text, children, collapsible = false, blurred = false, limited }: CodeBlockProps) {
  const [open, setOpen] = useState(true)
  const id = useId()
  return (
    <figure className="min-w-0">
      {collapsible && (
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="mb-2 flex items-center gap-1.5 rounded-sm text-ui text-text-2 hover:text-text"
        >
          <ChevronDown className={`size-4 transition-transform ${open ? '' : '-rotate-90'}`} />
          {label}
        </button>
      )}
      <div id={id} hidden={!open} className="corner-ticks rounded-md border border-line bg-surface-0">
        <div className="absolute top-2 right-2 z-1 flex rounded-md bg-surface-0">
          <CopyButton text={text} label={t`Copy code`} />
        </div>
        <pre
          tabIndex={0}
          aria-label={label}
          role="region"
          translate="no"
          className={`machine overflow-auto px-4 py-3.5 pr-11 text-text ${limited ? 'max-h-110 pointer-coarse:pt-7' : ''} ${blurred ? 'blur-[5px] transition-[filter] duration-160 hover:blur-none focus:blur-none' : ''}`}
        >
          <code>{children ?? text}</code>
        </pre>
      </div>
    </figure>
  )
}
