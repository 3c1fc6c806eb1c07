import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { appKey } from '#web/query-keys.ts'
import type { SelectOption } from '#web/ui/select-field.tsx'

/** The subscription levels of the app, as options of a choice. */
export function useLevels() {
  const { data, error } = useQuery({
    queryKey: appKey('subscriptions', 'options'),
    queryFn: ({ signal }) => call('GET /subscriptions', { signal }),
  })
  const options = data?.subscriptions.map(({ level, name, active }): SelectOption => {
    const label = name || t`Level ${level}`
    return { value: String(level), label: active ? label : t`${label} (paused)` }
  })
  return { options, failure: error ? failureText(error, t`Failed to load subscriptions`) : undefined }
}

/** The options with the given level among them, though it may be gone from the app. */
export function withLevel(options: readonly SelectOption[] = [], value: string | undefined, label: string) {
  if (value === undefined || options.some((option) => option.value === value)) return options
  return [...options, { value, label }]
}
