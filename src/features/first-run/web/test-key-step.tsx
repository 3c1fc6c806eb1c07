import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { failureTextWithCause } from '#web/api/errors.ts'
import { announce } from '#web/browser/announce.ts'
import { notify } from '#web/browser/notify.ts'
import { useMedia } from '#web/browser/use-media.ts'
import { useRequestKey } from '#web/form/use-request-key.ts'
import type { App } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { createTestKey } from './create-test-key.ts'
import { StepCard } from './step-card.tsx'

/** A license key of the owner's own, made with one click. */
export function TestKeyStep({ app, testKey }: { app: App; testKey: string | undefined }) {
  const canHover = useMedia('(hover: hover)')
  const keys = useRequestKey()
  const create = useMutation({
    mutationFn: () => createTestKey(app, keys.keyOf(app.appId)),
    onSuccess: () => {
      keys.forget(app.appId)
      announce(t`Test key created`)
    },
    onError: (error) =>
      notify.error(
        failureTextWithCause(
          error,
          t`Failed to create licenses`,
          (message) => t`Failed to create licenses: ${message}`,
        ),
      ),
  })
  const hasKey = testKey !== undefined
  return (
    <StepCard
      number={1}
      state={hasKey ? 'done' : 'now'}
      title={t`Create a test key`}
      description={t`A 30-day license of your own: sign in with it, then ban it.`}
      actions={
        <Button
          variant={hasKey ? 'secondary' : 'primary'}
          icon={<KeyRound />}
          busy={create.isPending}
          onClick={() => create.mutate()}
        >
          {hasKey ? t`Create another` : t`Create test key`}
        </Button>
      }
    >
      {hasKey && <CodeBlock label={t`Test key`} copyLabel={t`Copy test key`} text={testKey} blurred={canHover} />}
    </StepCard>
  )
}
