import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { refreshProfile } from './account-queries.ts'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { profileCalls } from '#web/session/account-calls.ts'
import { LoadFailed } from '#web/ui/empty-state.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { SecondFactorField } from '#web/ui/second-factor-field.tsx'
import { useSecondFactor } from '#web/ui/use-second-factor.ts'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { SetupSecret } from './setup-secret.tsx'

/** Each call creates a new secret: call it once per dialog, and not when the profile is refreshed. */
const setupQuery = {
  queryKey: accountKey('two-factor-setup'),
  queryFn: () => call(`POST ${profileCalls()}/two-factor/start`),
  staleTime: Infinity,
  gcTime: 0,
  retry: false,
}

const failure = (error: unknown) => failureText(error, t`An unexpected error occurred`)

/** First the secret, then a code that verifies it, then the recovery codes, shown only once. */
export function TurnOnTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const factor = useSecondFactor()
  const setup = useQuery(setupQuery)
  const confirm = useMutation({
    mutationFn: () => call(`POST ${profileCalls()}/two-factor/confirm`, { body: { code: factor.text } }),
    onSuccess: () => void refreshProfile(),
    onError: factor.typeAgain,
  })
  if (confirm.data) {
    const news = t`Two-factor authentication is on.`
    return <RecoveryCodesDialog news={news} codes={confirm.data.recoveryCodes} onClose={onClose} />
  }
  return (
    <FormDialog
      title={t`Turn on two-factor authentication`}
      description={t`Scan the QR code with your authenticator app, then enter the code that it shows.`}
      size="sm"
      submitLabel={t`Turn on`}
      busy={confirm.isPending}
      submitDisabled={!setup.data}
      error={confirm.error ? failure(confirm.error) : undefined}
      onSubmit={() => setup.data && factor.check() && confirm.mutate()}
      onClose={onClose}
    >
      {setup.error ? (
        <LoadFailed message={failure(setup.error)} onRetry={() => void setup.refetch()} />
      ) : (
        <SetupSecret setup={setup.data} />
      )}
      <SecondFactorField factor={factor} appOnly />
    </FormDialog>
  )
}
