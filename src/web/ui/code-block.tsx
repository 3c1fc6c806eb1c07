import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

export interface CodeBlockProps {
  /** Accessible name, e.g. "Python client initialization". */
  label: string
  /** Name of the copy button; "Copy code" by default. */
  copyLabel?: string
  /** The text that Copy puts on the clipboard. */
  text: string
  /** The displayed code: plain text or text with `CodeString` and `CodeKeyword` spans. Default: `text`. */
  children?: ReactNode
  /** Blurred until hovered, focused or tapped, for shared screens. */
  blurred?: boolean
  /** Makes long code scroll inside its block. */
  limited?: boolean
}

export const CodeString = ({ children }: { children: ReactNode }) => (
  <span className="text-accent-text">{children}</span>
)
export const CodeKeyword = ({ children }: { children: ReactNode }) => <span className="text-violet">{children}</span>

export const CodeBlock = ({ label, copyLabel, text, children, blurred = false, limited }: CodeBlockProps) => (
  <figure className="corner-ticks min-w-0 rounded-md border border-line bg-surface-0">
    <div className="absolute top-0 right-0 z-1 flex rounded-md bg-surface-0 p-2">
      <CopyButton text={text} label={copyLabel ?? t`Copy code`} />
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
  </figure>
)
