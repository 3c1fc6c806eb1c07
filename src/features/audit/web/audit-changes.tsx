import { t } from '@lingui/core/macro'
import { dateTimeText, durationText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { fieldText } from './field-texts.ts'

interface Change {
  field: string
  /** Undefined if only one state is known. */
  before: unknown
  after: unknown
  /** The audit doesn't hold the values. */
  isHidden?: boolean
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The recorded fields of an action; if there are two states, only the differences. */
function changesOf(details: Record<string, unknown>): Change[] {
  const { before, after, from, to, changes, ...rest } = details
  const recorded = isFields(changes) ? changes : {}
  const pairs = Object.entries(recorded).map(([field, change]): Change => {
    const [one, other]: unknown[] = Array.isArray(change) ? change : []
    return { field, before: one, after: other, isHidden: !Array.isArray(change) }
  })
  if (isFields(before) && isFields(after)) pairs.push(...differing(before, after, ''))
  else if (before !== undefined || after !== undefined) pairs.push({ field: 'value', before, after })
  if (from !== undefined || to !== undefined) pairs.push({ field: 'value', before: from, after: to })
  const others = Object.entries(rest).filter(
    ([field, value]) => value !== undefined && value !== null && !(field in recorded),
  )
  return [...pairs, ...others.map(([field, value]): Change => ({ field, before: undefined, after: value }))]
}

function differing(before: Record<string, unknown>, after: Record<string, unknown>, prefix: string): Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [one, other] = [before[name], after[name]]
    if (isFields(one) && isFields(other)) return differing(one, other, `${prefix}${name}.`)
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ field: prefix + name, before: one, after: other }]
  })
}

/** The recorded fields of an action, with their values before and after where they are known. */
export function AuditChanges({ details }: { details: Record<string, unknown> }) {
  const changes = changesOf(details)
  if (changes.length === 0) return null
  const withBefore = changes.some(({ before, isHidden }) => before !== undefined || isHidden)
  return (
    <div>
      <table className="w-full table-fixed text-left text-ui">
        <caption className="sr-only">{t`Recorded details`}</caption>
        <thead className="text-meta text-text-3">
          <tr>
            <th scope="col" className="w-[30%] py-1 pr-4 font-normal">{t`Field`}</th>
            {withBefore && <th scope="col" className="py-1 pr-4 font-normal">{t`Before`}</th>}
            <th scope="col" className="py-1 font-normal">
              {withBefore ? t`After` : t`Value`}
            </th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, before, after, isHidden }) => (
            <tr key={field} className="border-t border-line align-top">
              <FieldName field={field} />
              {withBefore && (
                <td className="py-1 pr-4 wrap-anywhere text-text-2">
                  <Value field={field} value={before} />
                </td>
              )}
              <td className="py-1 wrap-anywhere">
                {isHidden ? <span className="text-text-2">{t`Changed`}</span> : <Value field={field} value={after} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function FieldName({ field }: { field: string }) {
  const text = fieldText(field)
  return (
    <th
      scope="row"
      title={field}
      {...(text === undefined && { translate: 'no' as const })}
      className={`py-1 pr-4 font-normal wrap-anywhere text-text-2 ${text === undefined ? 'machine' : ''}`}
    >
      {text ?? field}
    </th>
  )
}

/** A list of texts, as of permissions, is read as such; anything else that is no text is shown as it is stored. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  const isListOfTexts = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return isListOfTexts ? value.join(', ') : JSON.stringify(value)
}

function Value({ field, value }: { field: string; value: unknown }) {
  const timeZone = useTimeZone()
  if (value === undefined || value === null) return <span className="text-text-3">—</span>
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'number' && /At$|_at$|expiry$/.test(field) && value > 1e9) return dateTimeText(value, timeZone)
  if (typeof value === 'number' && /seconds$/i.test(field)) return durationText(value)
  const text = valueText(value)
  return text === '' ? (
    <span className="text-text-3">{t`Empty`}</span>
  ) : (
    <span translate="no" className="machine">
      {text}
    </span>
  )
}
