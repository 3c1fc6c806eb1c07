import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

/** Names and values, side by side if there is enough space. For `Fact` and `CopiedFact`. */
export const FactList = ({ children }: { children: ReactNode }) => (
  <dl className="grid gap-x-6 gap-y-1.5 text-ui sm:grid-cols-[auto_1fr]">{children}</dl>
)

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-text-2">{name}</dt>
    <dd className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 break-all">{children}</dd>
  </>
)

/** A machine-readable text with a copy button. Renders nothing if it is unknown. */
export const CopiedFact = ({ name, text }: { name: string; text: string }) =>
  text === '' ? null : (
    <Fact name={name}>
      <span className="inline-flex max-w-full items-center gap-1">
        <span translate="no" className="machine min-w-0 break-all">
          {text}
        </span>
        <CopyButton text={text} label={t`Copy`} />
      </span>
    </Fact>
  )
