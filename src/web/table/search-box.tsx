import { t } from '@lingui/core/macro'
import { trimPasted } from '#contract/visible-text.ts'
import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../navigation/shortcuts.ts'
import { beforeOpening } from '../navigation/use-dialog-entry.ts'
import { useDebounced } from '../browser/use-debounced.ts'

/** Delay after the last key. */
export const searchDebounceMs = 500

interface SearchBoxProps {
  value: string
  onSearch: (text: string) => void
  placeholder?: string
}

const inputStyle = [
  'h-8 w-full rounded-md border border-line bg-surface-1 pr-9 pl-8.5 text-ui text-ellipsis text-text hover:border-line-strong',
  'pointer-coarse:h-11 pointer-coarse:placeholder:text-[14px]',
  // The hint takes the space of the / key, which narrow boxes and touch screens don't show.
  '@max-[240px]:placeholder-shown:pr-2 pointer-coarse:placeholder-shown:pr-2',
].join(' ')

export function SearchBox({ value, onSearch, placeholder }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const searched = useRef(value)
  const search = (next: string) => {
    searched.current = next
    onSearch(next)
  }
  const { schedule, cancel } = useDebounced(search, searchDebounceMs)
  // The URL was changed by Back, a link or "Clear filters": show its text and discard pending input. Its text after a
  // search from here lacks the spaces around what is still being typed.
  useEffect(() => {
    const isFromHere = value === searched.current || value === text.trim()
    searched.current = value
    if (isFromHere) return
    cancel()
    setText(value)
    // oxlint-disable-next-line react/exhaustive-deps -- only the URL's text matters
  }, [value])
  const searchNow = (next: string) => {
    cancel()
    setText(next)
    search(next.trim())
  }
  useEffect(() => {
    const searchTyped = () => text.trim() !== searched.current && searchNow(text)
    beforeOpening.add(searchTyped)
    return () => void beforeOpening.delete(searchTyped)
  })
  useShortcuts([
    { id: 'focus-search', keys: '/', label: t`Search this table`, group: t`Tables`, run: () => input.current?.focus() },
  ])
  return (
    <search
      className="relative w-full max-sm:w-auto max-sm:min-w-44 max-sm:shrink-0 max-sm:grow sm:@container sm:w-[300px]"
      data-print="no"
    >
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-text-3"
      />
      <input
        ref={input}
        type="text"
        role="searchbox"
        aria-label={placeholder ? t`Search: ${placeholder}` : t`Search`}
        placeholder={placeholder ?? t`Search`}
        value={text}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          const isPasted = (event.nativeEvent as InputEvent).inputType === 'insertFromPaste'
          const typed = isPasted ? trimPasted(event.target.value) : event.target.value
          setText(typed)
          schedule(typed.trim())
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') searchNow(text)
          if (event.key === 'Escape' && text !== '') searchNow('')
        }}
        className={inputStyle}
      />
      {text === '' ? (
        <kbd className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded-sm border border-line px-1.5 text-meta text-text-3 pointer-coarse:hidden @max-[240px]:hidden">
          /
        </kbd>
      ) : (
        <button
          type="button"
          aria-label={t`Clear search`}
          onClick={() => {
            searchNow('')
            input.current?.focus()
          }}
          className="absolute top-1/2 right-1.5 flex size-6 -translate-y-1/2 items-center justify-center rounded-sm text-text-3 hover:text-text"
        >
          <X className="size-3.5" />
        </button>
      )}
    </search>
  )
}
