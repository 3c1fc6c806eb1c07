import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { failureText } from '../api/errors.ts'
import { appKey } from '../api/query-keys.ts'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { type BulkAction, type BulkCounts, type BulkTarget, rowsOf, targetCount } from './bulk-action.ts'
import { type CountedRows, countEffects } from './bulk-run.ts'

export interface Counting {
  counted: CountedRows | undefined
  /** Number of rows examined so far. */
  looked: number
  error: Error | null
  again: () => void
}

/** Lets the server count the effects again whenever the input changes. */
export function useCounts<Body extends object, Filter>(
  action: BulkAction<Body, Filter>,
  target: BulkTarget<Filter>,
  enabled: boolean,
): Counting {
  const [looked, setLooked] = useState(0)
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: appKey('bulk-counts', action.body(rowsOf(target))),
    queryFn: ({ signal }) => {
      setLooked(0)
      return countEffects(action, target, { signal, onProgress: setLooked })
    },
    enabled,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    // Without a connection, it must fail visibly instead of waiting.
    networkMode: 'always',
  })
  const settled = isFetching ? { counted: undefined, error: null } : { counted: data, error }
  return { ...settled, looked, again: () => void refetch() }
}

interface CountedEffectsProps {
  counting: Counting
  target: BulkTarget<unknown>
  effects: BulkAction<object, unknown>['effects']
  onRetry: () => void
}

/** The effects of the action with their counts; or that they are being counted, or could not be counted. */
export function CountedEffects({ counting, target, effects, onRetry }: CountedEffectsProps) {
  const { counted, looked, error } = counting
  if (error) {
    return (
      <div role="alert" className="flex flex-wrap items-center justify-between gap-2">
        <span className="min-w-0 text-danger">{failureText(error, t`The affected items could not be counted.`)}</span>
        <Button size="sm" icon={<RotateCw />} onClick={onRetry}>{t`Count again`}</Button>
      </div>
    )
  }
  return (
    <p aria-live="polite" className="min-h-5">
      {counted ? (
        sentencesOf(effects, counted.counts).map((sentence) => (
          <span key={sentence} className="block">
            {`${sentence} `}
          </span>
        ))
      ) : (
        <span className="flex items-center gap-2 text-text-2">
          <Spinner />
          {countingText(looked, targetCount(target))}
        </span>
      )}
    </p>
  )
}

function sentencesOf(effects: CountedEffectsProps['effects'], counts: BulkCounts): string[] {
  const { changed, notFound = 0 } = counts
  const gone = plural(notFound, { one: '# no longer exists.', other: '# no longer exist.' })
  const sentences = [...effects(counts), [notFound, gone] as const].filter(([rows]) => rows > 0)
  const nothing = changed === 0 ? [t`Nothing would change.`] : []
  return [...nothing, ...sentences.map(([, sentence]) => sentence)]
}

function countingText(looked: number, total: number | undefined): string {
  if (looked === 0) return t`Counting…`
  const reached = looked.toLocaleString(document.documentElement.lang || 'en')
  if (total === undefined) return t`Counting: ${reached}`
  return plural(total, { one: `Counting: ${reached} of #`, other: `Counting: ${reached} of #` })
}
