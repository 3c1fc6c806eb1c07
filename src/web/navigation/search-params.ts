import { type HistoryState, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** All search parameters are text in the URL; each page validates the ones it uses. */
export type SearchParams = Record<string, string | undefined>

export const parseSearch = (text: string): SearchParams => Object.fromEntries(new URLSearchParams(text))

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== '') params.set(name, String(value))
  }
  return params.size > 0 ? `?${params}` : ''
}

export function useSearchParams(): SearchParams {
  return useSearch({ strict: false }) as SearchParams
}

/**
 * Changes some parameters and keeps the others. Use `replace` for typing, and push for changes that Back should undo. A
 * replaced entry still is what a dialog or the panel has opened.
 */
export function useSetSearchParams() {
  const navigate = useNavigate()
  return useCallback(
    (change: SearchParams, options: { replace?: boolean; state?: HistoryState } = {}) =>
      navigate({
        to: '.',
        search: (previous: SearchParams) => ({ ...previous, ...change }),
        resetScroll: false,
        ...(options.replace && { state: ({ opened, openedAt, panel }: HistoryState) => ({ opened, openedAt, panel }) }),
        ...options,
      }),
    [navigate],
  )
}
