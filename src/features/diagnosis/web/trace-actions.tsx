import { plural, t } from '@lingui/core/macro'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, MonitorX, ShieldCheck, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'
import { DeleteSessionsDialog } from '#features/program-sessions/web/delete-sessions-dialog.tsx'
import { userQuery } from '#features/users/web/users-data.ts'
import { OneUserDialog } from '#features/users/web/users-form.tsx'
import { call } from '#web/api/call.ts'
import { appKey } from '#web/api/query-keys.ts'
import { lazyPart } from '#web/lazy/lazy-part.tsx'
import { paths } from '#web/navigation/paths.ts'
import { PanelFact, PanelReason } from '#web/panel/panel-parts.tsx'
import { usePanel } from '#web/panel/use-panel.ts'
import { useSelectedApp } from '#web/session/use-account.ts'
import { Button } from '#web/ui/button.tsx'
import { type Diagnosis, isNothing } from './why-data.ts'

const UserBulkDialog = lazyPart(() => import('#features/users/web/user-bulk-actions.tsx'), 'UserBulkDialog')

/** A machine by its fingerprint with the users bound to it, or an IP address; the other one is empty. */
export type KnownTrace = Pick<Diagnosis, 'device' | 'ip' | 'boundUsers'>

/** Undefined if nothing is known of it. */
export function knownTrace(kind: 'device' | 'address', diagnosis: Diagnosis): KnownTrace | undefined {
  const { device, ip, boundUsers } = diagnosis
  const trace = kind === 'device' ? { device, ip: '', boundUsers } : { device: '', ip, boundUsers: [] }
  return isNothing(diagnosis) || trace.device === trace.ip ? undefined : trace
}

/** The filter of exactly its entries in the log. */
export const logOfTrace = ({ device, ip }: KnownTrace) => (device === '' ? { 'f.ip': ip } : { 'f.hwid': device })

/** The filter of exactly its sessions. */
const sessionsOfTrace = ({ device, ip }: KnownTrace) => (device === '' ? { ip } : { hwid: device })

/** The number of its running sessions; refreshed with their list, whose key it shares. */
const runningQuery = (trace: KnownTrace) =>
  queryOptions({
    queryKey: appKey('sessions', 'of-trace', sessionsOfTrace(trace)),
    queryFn: async ({ signal }) => {
      const query = { ...sessionsOfTrace(trace), page: 1, limit: 1 }
      const { total: count, readAt } = await call('GET /sessions', { query, signal })
      return { count, readAt }
    },
    placeholderData: keepPreviousData,
  })

/** How many sessions it runs; the number leads to their list. */
export function RunningSessions({ trace }: { trace: KnownTrace }) {
  const { data: { count } = {} } = useQuery(runningQuery(trace))
  if (count === undefined) return null
  const { device, ip } = trace
  return (
    <PanelFact name={t`Sessions`}>
      {count > 0 ? (
        <Link
          to={paths.sessions()}
          search={device === '' ? { 'f.ip': ip } : { 'f.hwid': device }}
          className="rounded-sm underline decoration-line-strong underline-offset-2 hover:decoration-current"
        >
          {plural(count, { one: '# session', other: '# sessions' })}
        </Link>
      ) : (
        <span>{plural(count, { one: '# session', other: '# sessions' })}</span>
      )}
    </PanelFact>
  )
}

/** What can be done about a machine and the users bound to it, or about the sessions from an address. */
export function TraceActions({ trace, onDone }: { trace: KnownTrace; onDone: () => void }) {
  const { boundUsers } = trace
  const { setAction } = usePanel()
  const reasonId = useId()
  const planReason = usePlanReason('bulk_operations')
  const [only = ''] = boundUsers
  const { data: one } = useQuery({ ...userQuery(only), enabled: boundUsers.length === 1 })
  const { data: { count: sessions = 0 } = {} } = useQuery(runningQuery(trace))
  const disabledReason = boundUsers.length > 1 ? planReason : undefined
  const of = { disabledReason, 'aria-describedby': disabledReason === undefined ? undefined : reasonId }
  const isKnown = boundUsers.length > 1 || one !== undefined
  const isBanned = one?.user.banned === true
  const users = boundUsers.length
  return (
    <>
      {isKnown && (
        <>
          <Button
            variant={isBanned ? 'secondary' : 'danger'}
            icon={isBanned ? <ShieldCheck /> : <Ban />}
            onClick={() => setAction('ban')}
            {...of}
          >
            {isBanned ? t`Unban` : plural(users, { one: 'Ban # user', other: 'Ban # users' })}
          </Button>
          <Button icon={<MonitorX />} onClick={() => setAction('reset-hwid')} {...of}>
            {t`Reset HWID`}
          </Button>
        </>
      )}
      {sessions > 0 && (
        <Button variant="danger" icon={<Trash2 />} onClick={() => setAction('delete-sessions')}>
          {plural(sessions, { one: 'Delete # session', other: 'Delete # sessions' })}
        </Button>
      )}
      <PanelReason id={reasonId} reason={disabledReason} />
      <Dialogs trace={trace} onDone={onDone} />
    </>
  )
}

function Dialogs({ trace, onDone }: { trace: KnownTrace; onDone: () => void }) {
  const { action } = usePanel()
  if (action === 'ban' || action === 'reset-hwid') return <UsersDialog key={action} {...{ action, trace, onDone }} />
  return action === 'delete-sessions' && <RunningSessionsDialog trace={trace} onDone={onDone} />
}

interface UsersDialogProps {
  action: 'ban' | 'reset-hwid'
  trace: KnownTrace
  onDone: () => void
}

/** One user is asked about by name. */
function UsersDialog({ action, trace, onDone }: UsersDialogProps) {
  const app = useSelectedApp()
  const { setAction } = usePanel()
  // A machine that is reset has no users.
  const [names] = useState(trace.boundUsers)
  const [only = ''] = names
  const { data: one } = useQuery({ ...userQuery(only), enabled: names.length === 1 })
  const close = () => setAction(undefined)
  const finish = () => {
    close()
    onDone()
  }
  if (names.length === 1) return one ? <OneUserDialog action={action} user={one.user} onClose={finish} /> : null
  if (names.length === 0 || !app) return null
  return (
    <UserBulkDialog app={app} action={action} target={{ names }} onDone={finish} onClose={close} onFailed={close} />
  )
}

function RunningSessionsDialog({ trace, onDone }: { trace: KnownTrace; onDone: () => void }) {
  const app = useSelectedApp()
  const { setAction } = usePanel()
  const { data: { count = 0, readAt } = {} } = useQuery(runningQuery(trace))
  const close = () => setAction(undefined)
  if (!app || count === 0) return null
  return (
    <DeleteSessionsDialog
      app={app}
      target={{ filter: sessionsOfTrace(trace), count }}
      countedAt={readAt}
      onDone={() => {
        close()
        onDone()
      }}
      onClose={close}
    />
  )
}
