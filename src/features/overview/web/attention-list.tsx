import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { ArrowRight, Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { countLinkLook } from './count-sentence.tsx'
import type { ListAddress } from './overview-links.ts'

export interface AttentionLine {
  id: string
  icon: ReactNode
  /** What it is, in two or three words. */
  text: string
  /** The list that `text` counts, if `address` leads elsewhere. */
  counted?: ListAddress | undefined
  /** The rest of the sentence. */
  detail?: string | undefined
  /** Customers are affected now. */
  isUrgent?: boolean
  link: string
  address: ListAddress
}

/** Things that need the reader, one sentence and one link each; or that nothing does. */
export function AttentionList({ lines }: { lines: readonly AttentionLine[] }) {
  if (lines.length === 0) {
    return (
      <section aria-labelledby="attention" className="mb-5 flex items-center gap-2.5">
        <Check aria-hidden="true" className="size-4 text-text-2" />
        <h2 id="attention" className="text-section font-semibold">{t`Nothing needs you right now`}</h2>
      </section>
    )
  }
  return (
    <AttentionFrame title={plural(lines.length, { one: '# thing needs you', other: '# things need you' })}>
      <AttentionLines lines={lines} />
    </AttentionFrame>
  )
}

export function AttentionLines({ lines }: { lines: readonly AttentionLine[] }) {
  return (
    <>
      {lines.map(({ id, icon, text, counted, detail, isUrgent = false, link, address }) => (
        <li
          key={id}
          className="relative flex min-h-11 items-start gap-3 px-4 py-2.5 hover:bg-surface-2 min-[640px]:items-center"
        >
          <span
            aria-hidden="true"
            className={`flex h-[1lh] shrink-0 items-center text-ui [&_svg]:size-4 ${isUrgent ? 'text-danger' : 'text-text-2'}`}
          >
            {icon}
          </span>
          <p className="flex min-w-0 grow flex-col gap-x-4 text-ui min-[640px]:flex-row min-[640px]:items-center">
            <span className="min-w-0 grow break-words">
              {counted ? (
                <Link to={counted.to} search={counted.search} className={`relative z-1 ${countLinkLook}`}>
                  {text}
                </Link>
              ) : (
                <span className="font-medium text-text">{text}</span>
              )}
              {detail && <span className="text-text-2"> {detail}</span>}
            </span>
            <Link
              to={address.to}
              search={address.search}
              className="inline-flex shrink-0 items-center gap-1.5 text-text-2 after:absolute after:inset-0 hover:text-text focus-visible:text-text [li:hover_&]:text-text"
            >
              {link}
              <ArrowRight aria-hidden="true" className="size-3.5" />
            </Link>
          </p>
        </li>
      ))}
    </>
  )
}

export function AttentionFrame({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby="attention" className="mb-5">
      <h2 id="attention" className="mb-2 text-section font-semibold">
        {title}
      </h2>
      <ul className="ruled overflow-hidden rounded-lg border border-line bg-surface-1">{children}</ul>
    </section>
  )
}
