import { t } from '@lingui/core/macro'
import { type FormEvent, useState } from 'react'

interface PageJumpProps {
  page: number
  pages: number
  onJump: (page: number) => void
}

/** Opens a page by its number. A number beyond the last page opens the last one. */
export function PageJump({ page, pages, onJump }: PageJumpProps) {
  const [text, setText] = useState('')
  const jump = (event: FormEvent) => {
    event.preventDefault()
    const wanted = Math.min(Number(text), pages)
    setText('')
    if (Number.isInteger(wanted) && wanted >= 1 && wanted !== page) onJump(wanted)
  }
  return (
    <form onSubmit={jump} className="ml-2 max-sm:hidden">
      <input
        type="text"
        inputMode="numeric"
        aria-label={t`Go to page`}
        placeholder={t`Page…`}
        value={text}
        maxLength={8}
        autoComplete="off"
        onChange={(event) => setText(event.target.value.replace(/\D/g, ''))}
        className="h-8 w-18 rounded-md border border-line bg-surface-1 px-2.5 text-ui text-text tabular-nums hover:border-line-strong pointer-coarse:h-11"
      />
    </form>
  )
}
