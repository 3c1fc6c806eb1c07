import { t } from '@lingui/core/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CallFailed } from '../api/call-failed.ts'
import { failureText, requestIdOf } from '../api/errors.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { LoadFailed } from '../ui/empty-state.tsx'
import type { Tab } from '../ui/tabs.tsx'
import { PanelPlaceholder } from './side-panel.tsx'

interface LoadedProps<D> {
  query: UseQueryResult<D>
  /** What kind of thing it is, and its name, shown until it is loaded. */
  kind: string
  name: string
  failure: string
  children: (data: D) => ReactNode
}

/** The panel of a thing once it is loaded; says when it is missing, failed, or could not be refreshed. */
export function PanelLoaded<D>({ query, kind, name, failure, children }: LoadedProps<D>) {
  const { data, error, refetch } = query
  const isMissing = error instanceof CallFailed && error.status === 404
  if (data !== undefined && !isMissing) return children(data)
  return (
    <PanelPlaceholder kind={kind} name={name}>
      {error && (
        <LoadFailed
          message={failureText(error, failure)}
          {...(!isMissing && { requestId: requestIdOf(error), onRetry: () => void refetch() })}
        />
      )}
    </PanelPlaceholder>
  )
}

/** The data as the API replies it. */
export const rawTab = (value: object): Tab => {
  const text = JSON.stringify(value, null, 2)
  return { value: 'raw', label: t`Raw`, content: <CodeBlock label={t`As the API replies it`} text={text} /> }
}

/** Names and values of a panel. */
export const PanelFacts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[minmax(96px,auto)_minmax(0,1fr)] gap-x-5 gap-y-2 text-ui">{children}</dl>
)

export const PanelFact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-text-2">{name}</dt>
    <dd className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">{children}</dd>
  </>
)

interface CopiedFactProps {
  name: string
  value: string
  copyLabel: string
  /** Shown without a value. */
  none?: ReactNode
  /** How the value is shown. */
  children: ReactNode
}

/** A value with a button to copy it. */
export const CopiedFact = ({ name, value, copyLabel, none = <NoValue />, children }: CopiedFactProps) => (
  <PanelFact name={name}>
    {value === '' ? (
      none
    ) : (
      // The button stays beside a value of several lines.
      <span className="flex min-w-0 items-start gap-x-2">
        <span className="min-w-0">{children}</span>
        <CopyButton text={value} label={copyLabel} className="-my-1" />
      </span>
    )}
  </PanelFact>
)

interface CopiedNameProps {
  name: string
  copyLabel?: string
  /** How it is shown. */
  children?: ReactNode
}

/** The name of what the panel is about, with a button to copy it. */
export const CopiedName = ({ name, copyLabel, children }: CopiedNameProps) => (
  <>
    {children ?? <span translate="no">{name}</span>}
    <CopyButton text={name} label={copyLabel ?? t`Copy ${name}`} className="-my-1 ml-1 align-middle" />
  </>
)

export const NoValue = () => <span className="text-text-3">—</span>

/** Why a button of the panel can't act, in a line below the buttons. */
export const PanelReason = ({ id, reason }: { id: string; reason: string | undefined }) =>
  reason !== undefined && (
    <p id={id} className="basis-full text-meta text-text-2">
      {reason}
    </p>
  )
