import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { rememberSelectedApp } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import { CallFailed } from '#web/api/call-failed.ts'
import { failureText } from '#web/api/errors.ts'
import { queryClient } from '#web/api/query-client.ts'
import { formDraft } from '#web/form/form-drafts.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/browser/notify.ts'
import { paths } from '#web/navigation/paths.ts'
import { planUsageQuery, refreshPlanUsage } from '#features/plans/web/plan-usage.ts'
import { type App, appsQuery } from '#web/session/session.ts'
import { useAccount } from '#web/session/use-account.ts'
import { appNameProblem, descriptionProblem } from '../apps.rules.ts'

const versionOfNewApps = '1.0.0'

/** The app has been created; a failure of the selection does not affect it. */
async function selectNewApp({ appId, appName }: App) {
  try {
    await call('POST /select_app', { body: { appName }, appId })
  } catch (error) {
    notify.error(failureText(error, t`Failed to select app`))
  }
}

/** Until the server's number is there, which the sidebar and the next form show. */
function countApp() {
  queryClient.setQueryData(planUsageQuery.queryKey, (plan) => {
    if (!plan || typeof plan.usage.apps !== 'number') return plan
    return { ...plan, usage: { ...plan.usage, apps: plan.usage.apps + 1 } }
  })
  void refreshPlanUsage()
}

const neverAnswered = (error: unknown) => !(error instanceof CallFailed) || error.status === 0

export function useCreateApp() {
  const account = useAccount()
  const router = useRouter()
  return useSaveForm({
    start: { appName: '', description: '' },
    isNew: true,
    draft: formDraft('create-app', account.ownerid),
    toBody: ({ appName, description }) => ({ appName: appName.trim(), description: description.trim() }),
    problems: ({ appName, description }) => ({
      appName: appNameProblem(appName),
      description: descriptionProblem(description),
    }),
    send: async ({ body, idempotencyKey }) => {
      const { app } = await call('POST /create_app', { body: { ...body, version: versionOfNewApps }, idempotencyKey })
      await selectNewApp(app)
      return { app }
    },
    failure: (error) =>
      neverAnswered(error)
        ? t`An unexpected error occurred while creating the application`
        : t`Failed to create application`,
    onFailed: notify.error,
    onSaved: async ({ app }) => {
      // Selecting the app remounts this page, so the next one must be loaded before.
      await router.preloadRoute({ to: paths.connect() })
      await queryClient.cancelQueries(appsQuery)
      queryClient.setQueryData(appsQuery.queryKey, (apps = []) => [
        ...apps.filter(({ appId }) => appId !== app.appId),
        app,
      ])
      countApp()
      rememberSelectedApp(account.ownerid, app)
      await router.navigate({ to: paths.connect() })
      notify.success(t`Application and Basic subscription created successfully!`)
    },
  })
}
