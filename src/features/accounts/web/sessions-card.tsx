import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { MonitorSmartphone, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { type OwnSession, ownSessionsQuery, refreshProfile } from './account-queries.ts'
import { useLeave } from './use-leave.ts'
import { call } from '#web/api/call.ts'
import type { Coded } from '#web/api/code-text.ts'
import { notifyOutcome } from '#web/api/notify-outcome.ts'
import { profileCalls } from '#web/session/account-calls.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { Card } from '#web/ui/card.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { CountryName } from '#web/ui/country-name.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { Skeleton, useDelayed } from '#web/ui/skeleton.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { Section } from '#web/ui/section.tsx'
import { useListFocus } from '#web/ui/use-list-focus.ts'
import { deviceName } from '../device-name.rules.ts'

const endSession = (send: () => Promise<Coded>) => notifyOutcome(send, t`Failed to delete session`)

/** The sessions of the account: end one (also this one), all others, or all. */
export function SessionsCard({ onLogoutAll }: { onLogoutAll?: () => void }) {
  const { data, error, refetch } = useQuery(ownSessionsQuery)
  const list = useRef<HTMLUListElement>(null)
  const keepFocus = useListFocus(list)
  const endOthers = useMutation({
    mutationFn: () => endSession(() => call(`POST ${profileCalls()}/sessions/end-others`)),
    onSuccess: (reply) => reply && refreshProfile(),
  })
  return (
    <Card>
      <Section
        title={t`Active sessions`}
        actions={
          <div className="flex flex-wrap gap-3">
            <ButtonWithReason
              busy={endOthers.isPending}
              disabledReason={data?.length === 1 ? t`You aren't signed in anywhere else` : undefined}
              onClick={() => endOthers.mutate()}
            >{t`Sign out all others`}</ButtonWithReason>
            {onLogoutAll && <Button variant="danger" onClick={onLogoutAll}>{t`Log out everywhere`}</Button>}
          </div>
        }
      >
        {error && <QueryFailed query={{ error, refetch }} failure={t`Failed to load sessions`} />}
        {!data && !error && <SessionsSkeleton />}
        <ul ref={list} {...keepFocus} aria-label={t`Active sessions`} className="-mx-4 -mb-2 sm:-mx-[18px]">
          {data?.map((session) => (
            <SessionRow key={session.session_id} session={session} />
          ))}
        </ul>
      </Section>
    </Card>
  )
}

/** As high as a session, so that what is below it stays where it is. */
function SessionsSkeleton() {
  const isShown = useDelayed(true)
  return (
    <div
      aria-hidden="true"
      className={`-mx-4 -mb-2 flex items-center gap-3 border-t border-line px-4 py-2.5 sm:-mx-[18px] sm:px-[18px] ${isShown ? '' : 'invisible'}`}
    >
      <Skeleton className="size-4 shrink-0" />
      <div className="flex h-13 min-w-0 grow flex-col justify-center gap-2">
        <Skeleton className="h-3 w-40 max-w-full" />
        <Skeleton className="h-3 w-72 max-w-full" />
      </div>
    </div>
  )
}

function SessionRow({ session }: { session: OwnSession }) {
  const device = deviceName(session.user_agent) || t`Unknown device`
  const leave = useLeave()
  const end = useMutation({
    mutationFn: () =>
      endSession(() => call(`DELETE ${profileCalls()}/sessions/{id}`, { params: { id: session.session_id } })),
    onSuccess: (reply) => reply && (session.is_current ? leave() : refreshProfile()),
  })
  return (
    <li className="flex items-center gap-3 border-t border-line px-4 py-2.5 sm:px-[18px]">
      <MonitorSmartphone aria-hidden="true" className="size-4 shrink-0 text-text-3" />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 text-ui">
          {device}
          {session.is_current && <Badge tone="ok" dot="filled">{t`This device`}</Badge>}
          {session.remember_me && <Badge tone="neutral">{t`Remembered`}</Badge>}
        </p>
        <p className="flex flex-wrap items-baseline gap-x-3 text-meta text-text-2">
          <MachineText value={session.ip} />
          <CountryName code={session.country} />
          <span>
            {t({ message: 'Signed in', context: 'event' })} <TimeAgo at={session.created_at} />
          </span>
          <span>
            {t`Last used`} <TimeAgo at={session.last_used_at} />
          </span>
          <span>
            {t`Expires`}: <TimeLeft until={session.expires_at} />
          </span>
        </p>
      </div>
      <IconButton
        label={t`End the session on ${device}`}
        icon={<Trash2 />}
        busy={end.isPending}
        onClick={() => end.mutate()}
      />
    </li>
  )
}
