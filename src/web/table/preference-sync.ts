import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import { type TableId, tableIds } from '#contract/table-ids.ts'
import { call } from '../api/call.ts'
import type { CallReply } from '../api/call-types.ts'
import { accountKey } from '../api/query-keys.ts'
import { afterPaint } from '../browser/after-paint.ts'
import { notify } from '../browser/notify.ts'
import { readStoredJson, writeStored } from '../browser/stored.ts'
import { areaOfCalls } from '../session/account-calls.ts'
import { knownAccount } from '../session/session.ts'
import {
  type Arrangement,
  arrangementStore,
  type Density,
  densityStore,
  followLogsStore,
  isArranged,
  keyInArea,
  marksKey,
  noArrangement,
  showArea,
  showArrangement,
  showDensity,
  showFollowLogs,
  showStored,
} from './stored-preferences.ts'

/** Keeps the preferences of this browser and those of the person on the server the same. */

type Name = 'density' | 'followLogs' | TableId
type Preferences = Pick<CallReply<'GET /preferences'>, 'density' | 'columns' | 'followLogs'>

const names: readonly Name[] = ['density', 'followLogs', ...tableIds]

interface Marks {
  /** The person whose preferences this area of the browser shows; missing if it never asked the server. */
  of?: string
  /** What the server could not save. */
  unsaved: string[]
}

function readMarks(): Marks {
  const { of, unsaved } = readStoredJson<Partial<Marks> | null>(keyInArea(marksKey), null) ?? {}
  return { ...(typeof of === 'string' && { of }), unsaved: Array.isArray(unsaved) ? unsaved : [] }
}

const writeMarks = (marks: Marks) => writeStored(keyInArea(marksKey), JSON.stringify(marks))

const isOwn = ({ of }: Pick<Marks, 'of'>): boolean => of === undefined || of === knownAccount()?.id

function markUnsaved(name: Name, isUnsaved: boolean) {
  const { unsaved, ...marks } = readMarks()
  // Those of the account of another tab.
  if (!isOwn(marks)) return
  const others = unsaved.filter((other) => other !== name)
  writeMarks({ ...marks, unsaved: isUnsaved ? [...others, name] : others })
}

/**
 * Shows what the same person chooses in another tab of this browser. It has been saved there: a choice made here from
 * older columns would take it back.
 */
export function followOtherTabsChoices(): () => void {
  const onStorage = (event: StorageEvent) => isOwn(readMarks()) && showStored(event)
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

/** Changed while the server was being asked: its answer is older. */
const changedSince = new Set<Name>()

/** Asked once after the sign-in, beside the first table's rows. */
export const preferencesQuery = queryOptions({
  queryKey: accountKey('preferences'),
  staleTime: Infinity,
  queryFn: async ({ signal }) => {
    const area = areaOfCalls()
    showArea(area !== '')
    changedSince.clear()
    await afterPaint()
    const { density, columns, followLogs } = await call(`GET ${area}/preferences`, { signal })
    applyPreferences({ density, columns, followLogs })
    return { density, columns, followLogs }
  },
})

/**
 * The server's answer wins, except over what was changed meanwhile or is still unsaved. What only this browser has is
 * saved, unless the person has been here before: then it was reset elsewhere.
 */
function applyPreferences({ density, columns, followLogs }: Preferences) {
  const marks = readMarks()
  const { of, unsaved } = marks
  const person = knownAccount()?.id
  const areOwn = isOwn(marks)
  writeMarks({ ...(person !== undefined && { of: person }), unsaved: areOwn ? unsaved : [...changedSince] })
  const stored = new Map(columns.map((each) => [each.table, each.columns]))
  for (const name of names) {
    if (changedSince.has(name)) continue
    const isOnServer =
      name === 'density' ? density !== null : name === 'followLogs' ? followLogs !== null : stored.has(name)
    if (areOwn && (unsaved.includes(name) || (of === undefined && !isOnServer && isChosen(name)))) void save(name)
    else if (name === 'density') showDensity(density ?? undefined)
    else if (name === 'followLogs') showFollowLogs(followLogs ?? true)
    else showArrangement(name, stored.get(name) ?? noArrangement)
  }
}

function isChosen(name: Name): boolean {
  if (name === 'density') return densityStore.get() !== 'regular'
  return name === 'followLogs' ? !followLogsStore.get() : isArranged(arrangementStore(name).get())
}

export function setDensity(density: Density) {
  showDensity(density)
  void save('density')
}

/** Only pages of owners have a log. */
export function setFollowLogs(isOn: boolean) {
  showFollowLogs(isOn)
  void save('followLogs')
}

export function arrangeColumns(table: TableId, arrangement: Arrangement) {
  showArrangement(table, arrangement)
  void save(table)
}

/** Saves that are on their way; true if the value has changed since. */
const sending = new Map<Name, boolean>()

/** One call at a time for each preference, so that the last value is the one that stays. */
async function save(name: Name): Promise<void> {
  changedSince.add(name)
  markUnsaved(name, true)
  if (sending.has(name)) return void sending.set(name, true)
  try {
    do {
      sending.set(name, false)
      await send(name)
    } while (sending.get(name))
    markUnsaved(name, false)
  } catch {
    notify.warning(
      name === 'followLogs'
        ? t`The server could not save whether the log is followed. This browser keeps it.`
        : t`The server could not save how the table looks. This browser keeps it.`,
    )
  } finally {
    sending.delete(name)
  }
}

async function send(name: Name): Promise<unknown> {
  const area = areaOfCalls()
  if (name === 'density') return call(`POST ${area}/preferences/density`, { body: { density: densityStore.get() } })
  if (name === 'followLogs') {
    // Left by an owner in the browser of a reseller.
    if (area !== '') return undefined
    return call('POST /preferences/follow_logs', { body: { followLogs: followLogsStore.get() } })
  }
  const arrangement = arrangementStore(name).get()
  const columns = isArranged(arrangement) ? arrangement : null
  return call(`POST ${area}/preferences/columns`, { body: { table: name, columns } })
}
