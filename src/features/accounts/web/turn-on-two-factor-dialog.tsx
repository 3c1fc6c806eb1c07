import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { RotateCw, TriangleAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { refreshProfile } from './account-queries.ts'
import { call } from '#web/api/call.ts'
import { CallFailed } from '#web/api/call-failed.ts'
import { failureText, requestIdOf } from '#web/api/errors.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { profileCalls } from '#web/session/account-calls.ts'
import { knownAccount } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LoadFailed } from '#web/ui/empty-state.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { SecondFactorField } from '#web/ui/second-factor-field.tsx'
import { useSecondFactor } from '#web/ui/use-second-factor.ts'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { SetupSecret } from './setup-secret.tsx'

/** Each call creates a new secret: call it once per dialog, and not when the profile is refreshed. */
const setupQuery = {
  queryKey: accountKey('two-factor-setup'),
  queryFn: async () => {
    const setup = await call(`POST ${profileCalls()}/two-factor/start`)
    tellOtherTabs('started')
    return setup
  },
  staleTime: Infinity,
  gcTime: 0,
  retry: false,
}

const failure = (error: unknown) => failureText(error, t`An unexpected error occurred`)

/** Why the secret on the screen can't be confirmed any more. */
type Ended = 'replaced' | 'on'

const endings: Readonly<Record<string, Ended>> = {
  TWO_FACTOR_SETUP_REPLACED: 'replaced',
  TWO_FACTOR_NOT_STARTED: 'replaced',
  TWO_FACTOR_ON_ALREADY: 'on',
}

const endingOf = (error: unknown): Ended | undefined => (error instanceof CallFailed ? endings[error.code] : undefined)

/** Only an administrator can change that. */
const isUnavailable = (error: unknown) => error instanceof CallFailed && error.code === 'TWO_FACTOR_UNAVAILABLE'

interface TurnOnTwoFactorProps {
  onNewCodes: () => void
  onClose: () => void
}

/**
 * First the secret, then a code that verifies it, then the recovery codes, shown only once. Of the secrets in several
 * tabs, the latest is valid; the other tabs say so at once in the same browser, else when a code is entered.
 */
export function TurnOnTwoFactorDialog({ onNewCodes, onClose }: TurnOnTwoFactorProps) {
  const factor = useSecondFactor()
  const setup = useQuery(setupQuery)
  const [ended, setEnded] = useState<Ended>()
  const confirm = useMutation({
    mutationFn: (setupId: string) =>
      call(`POST ${profileCalls()}/two-factor/confirm`, { body: { code: factor.text, setupId } }),
    onSuccess: () => {
      tellOtherTabs('on')
      void refreshProfile()
    },
    onError: (error) => {
      const ending = endingOf(error)
      setEnded(ending)
      if (ending === 'on') void refreshProfile()
      if (ending === undefined) factor.typeAgain()
    },
  })
  useOtherTabs((news) => {
    if (confirm.isPending || confirm.data) return
    if (news === 'on') {
      setEnded('on')
      void refreshProfile()
    } else if (!setup.isFetching) setEnded((known) => known ?? 'replaced')
  })
  const startAnew = () => {
    setEnded(undefined)
    confirm.reset()
    factor.set('')
    void setup.refetch()
  }
  if (confirm.data) {
    const news = t`Two-factor authentication is on.`
    return <RecoveryCodesDialog news={news} codes={confirm.data.recoveryCodes} onClose={onClose} />
  }
  if (ended === 'on' || endingOf(setup.error) === 'on') return <OnAlready onNewCodes={onNewCodes} onClose={onClose} />
  const shown = setup.isFetching ? undefined : setup.data
  return (
    <FormDialog
      title={t`Turn on two-factor authentication`}
      description={t`Scan the QR code with your authenticator app, then enter the code that it shows.`}
      size="sm"
      submitLabel={t`Turn on`}
      busy={confirm.isPending}
      submitDisabled={!shown || ended !== undefined}
      error={confirm.error && !ended ? failure(confirm.error) : undefined}
      onSubmit={() => shown && !ended && factor.check() && confirm.mutate(shown.setupId)}
      onClose={onClose}
    >
      {ended ? (
        <Replaced onStart={startAnew} />
      ) : setup.error ? (
        <LoadFailed
          message={failure(setup.error)}
          requestId={requestIdOf(setup.error)}
          onRetry={isUnavailable(setup.error) ? undefined : () => void setup.refetch()}
        />
      ) : (
        <SetupSecret setup={shown} />
      )}
      {/* Without a secret, there is no code to enter. */}
      {!ended && !setup.error && <SecondFactorField factor={factor} autoFocus appOnly />}
    </FormDialog>
  )
}

const Replaced = ({ onStart }: { onStart: () => void }) => (
  <div role="alert" className="flex flex-col items-center gap-3 px-4 py-10 text-center text-balance">
    <TriangleAlert aria-hidden="true" className="size-5 text-warn" />
    <p className="text-ui font-semibold">{t`This QR code is no longer valid.`}</p>
    <p className="text-ui text-text-2">
      {t`The setup was started again somewhere else. Continue there, or start again here. In your authenticator app, delete the entry of this QR code.`}
    </p>
    <Button icon={<RotateCw />} onClick={onStart}>{t`Start again`}</Button>
  </div>
)

/** Turned on somewhere else, or by a call whose reply was lost with its recovery codes. */
const OnAlready = ({ onNewCodes, onClose }: TurnOnTwoFactorProps) => (
  <Dialog
    title={t`Two-factor authentication is already on`}
    description={t`If you have its recovery codes, there is nothing left to do. Otherwise, create new ones: they replace the others.`}
    size="sm"
    onClose={onClose}
    footer={
      <>
        <Button onClick={onNewCodes}>{t`New recovery codes`}</Button>
        <Button variant="primary" onClick={onClose}>{t`OK`}</Button>
      </>
    }
  />
)

/** A new secret was shown, or one was confirmed. */
type SetupNews = 'started' | 'on'

interface Message {
  account: string
  news: SetupNews
}

/** The browser's other tabs. A browser without it learns from the server, when a code is entered. */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('signet.two-factor-setup')

const accountId = () => knownAccount()?.id ?? ''

/** Tells the other tabs, whose secret is no longer valid. */
const tellOtherTabs = (news: SetupNews) => channel?.postMessage({ account: accountId(), news } satisfies Message)

/** Calls when another tab goes on with the setup of the same account. */
function useOtherTabs(onNews: (news: SetupNews) => void): void {
  const hear = useEffectEvent(({ data: { account, news } }: MessageEvent<Message>) => {
    if (account === accountId()) onNews(news)
  })
  useEffect(() => {
    channel?.addEventListener('message', hear)
    return () => channel?.removeEventListener('message', hear)
  }, [])
}
