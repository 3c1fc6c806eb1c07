import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { rememberSelectedApp } from '#web/app-selection.ts'
import { call } from '#web/call.ts'
import { CallFailed } from '#web/call-failed.ts'
import { failureText } from '#web/errors.ts'
import { useRequestKey } from '#web/form/use-request-key.ts'
import { notify } from '#web/notify.ts'
import { paths } from '#web/paths.ts'
import { accountKey } from '#web/query-keys.ts'
import { type App, appsQuery } from '#web/session.ts'
import { useAccount } from '#web/use-account.ts'

export interface NewAppForm {
  appName: string
  description: string
}

const versionOfNewApps = '1.0.0'

/** The app comes first; what follows may fail without taking it away (part 2 §4 Creating an app). */
async function selectNewApp({ appId, appName }: App) {
  try {
    await call('POST /select_app', { body: { appName }, appId })
  } catch (error) {
    notify.error(failureText(error, t`Failed to select app`))
  }
}

async function createFirstSubscription({ appId }: App): Promise<boolean> {
  try {
    await call('POST /create_subscription', {
      body: { level: 1, name: 'Basic', active: true },
      appId,
      idempotencyKey: true,
    })
    return true
  } catch {
    return false
  }
}

export function useCreateApp() {
  const account = useAccount()
  const queryClient = useQueryClient()
  const router = useRouter()
  const { keyOf } = useRequestKey()
  return useMutation({
    mutationFn: async ({ appName, description }: NewAppForm) => {
      const form = { appName: appName.trim(), description: description.trim() }
      const body = { ...form, version: versionOfNewApps }
      const { app } = await call('POST /create_app', { body, idempotencyKey: keyOf(form) })
      await selectNewApp(app)
      const hasSubscription = await createFirstSubscription(app)
      return { app, hasSubscription }
    },
    onSuccess: async ({ app, hasSubscription }) => {
      // Selecting the app remounts this page; the next one must be ready by then.
      await router.preloadRoute({ to: paths.settings() })
      await queryClient.cancelQueries(appsQuery)
      queryClient.setQueryData(appsQuery.queryKey, (apps = []) => [
        ...apps.filter(({ appId }) => appId !== app.appId),
        app,
      ])
      // The sidebar counts apps against the plan.
      void queryClient.invalidateQueries({ queryKey: accountKey('profile', 'plan-usage') })
      rememberSelectedApp(account.ownerid, app)
      await router.navigate({ to: paths.settings() })
      if (hasSubscription) notify.success(t`Application and Basic subscription created successfully!`)
      else notify.warning(t`Application created successfully! Please add subscriptions manually.`)
    },
    onError: (error) => {
      const neverAnswered = !(error instanceof CallFailed) || error.status === 0
      const fallback = neverAnswered
        ? t`An unexpected error occurred while creating the application`
        : t`Failed to create application`
      notify.error(failureText(error, fallback))
    },
  })
}
