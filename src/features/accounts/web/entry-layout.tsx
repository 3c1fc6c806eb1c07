import type { ReactNode } from 'react'
import { EntryFooter } from './entry-footer.tsx'
import { KeyGrid } from './key-grid.tsx'
import { SignetMark } from './signet-mark.tsx'

interface EntryLayoutProps {
  title: string
  description: ReactNode
  children: ReactNode
}

/** The screens before sign-in: the form at the left, the quiet wall of keys at the right. */
export function EntryLayout({ title, description, children }: EntryLayoutProps) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(420px,5fr)_7fr]">
      <div className="flex flex-col px-6 py-8 md:px-12">
        <header>
          <SignetMark />
        </header>
        <main id="content" className="mx-auto flex w-full max-w-[360px] grow flex-col justify-center py-10">
          <h1 tabIndex={-1} className="text-[24px] leading-8 font-semibold tracking-[-0.015em]">
            {title}
          </h1>
          <p className="mt-1.5 mb-6 text-ui wrap-anywhere text-text-2">{description}</p>
          {children}
        </main>
        <EntryFooter />
      </div>
      <KeyGrid />
    </div>
  )
}
