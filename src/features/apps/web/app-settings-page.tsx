import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { type ApiCall, apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { submitting } from '#web/form/submitting.ts'
import { useIdle } from '#web/lazy/idle-loading.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { lazyPart } from '#web/lazy/lazy-part.tsx'
import { type App, appsQuery } from '#web/session/session.ts'
import { useSelectedApp } from '#web/session/use-account.ts'
import { useShortcuts } from '#web/navigation/shortcuts.ts'
import { Card } from '#web/ui/card.tsx'
import { type Anchor, SectionAnchors } from '#web/ui/section-anchors.tsx'
import { NoAppSelected } from '#web/ui/no-app-selected.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useDialog } from '#web/navigation/use-dialog.ts'
import { LeaveQuestion } from '#web/ui/leave-question.tsx'
import { ExportSection } from './export-section.tsx'
import { KeysSection } from './keys-section.tsx'
import { SaveBar, SettingsButtons, useInView } from './save-bar.tsx'
import { appsWithDrafts, dropSettingsDraft, useDraftsOfExistingApps } from './settings-drafts.ts'
import { settingsLabels } from './settings-fields.tsx'
import {
  DangerSection,
  DownloadLinksSection,
  GeneralSection,
  SecuritySection,
  SessionsSection,
} from './settings-sections.tsx'
import { type SettingsForm, settingsProblems } from './settings-form.ts'
import { useSettingsForm } from './use-settings-form.ts'

const ConnectCard = lazyPart(() => import('./connect-card.tsx'), 'ConnectCard', { whenIdle: false })
const DeleteAppDialog = lazyDialog(() => import('./delete-app-dialog.tsx'), 'DeleteAppDialog')
const DisableAppDialog = lazyDialog(() => import('./disable-app-dialog.tsx'), 'DisableAppDialog')
const ReplaceKeysDialog = lazyDialog(() => import('./replaced-keys-dialogs.tsx'), 'ReplaceKeysDialog')
const RetireKeysDialog = lazyDialog(() => import('./replaced-keys-dialogs.tsx'), 'RetireKeysDialog')

function AppSettings({ app }: { app: App }) {
  const settings = useSettingsForm(app)
  const { changed } = settings
  const { formRef } = settings.dialog
  const dialog = useDialog()
  // Asks as the list of apps does, where it is an action of its own, once nothing else is wrong.
  const isValid = !Object.values(settingsProblems(settings.values)).some(Boolean)
  const disables = isValid && settings.changes?.appStatus === false
  const onSubmit = () => (disables ? dialog.open('disable-app') : settings.dialog.onSubmit())
  const form = { ...settings, dialog: { ...settings.dialog, onSubmit } }
  const buttons = useRef<HTMLDivElement>(null)
  const buttonsInView = useInView(buttons)
  const openDelete = () => dialog.open('delete-app')
  const saveShortcut = { id: 'save', keys: 'mod+s', label: t`Save Changes`, group: t`Settings` }
  useShortcuts([{ ...saveShortcut, run: () => dialog.name === undefined && onSubmit() }])
  const labels = settingsLabels()

  return (
    <>
      <PageHeader
        title={t`App Settings`}
        actions={
          <div
            ref={buttons}
            className="flex flex-wrap items-center gap-2.5 max-sm:*:data-[variant=primary]:order-first"
          >
            <SettingsButtons form={form} onDelete={openDelete} />
          </div>
        }
      />
      <div className="grid items-start gap-5 [--anchors:48px] xl:grid-cols-[minmax(0,1fr)_400px] wide:grid-cols-[112px_minmax(0,1fr)_400px] wide:[--anchors:0px] min-[1700px]:grid-cols-[144px_minmax(0,1fr)_460px]">
        <div className="contents max-wide:[&>nav]:col-span-full">
          <SectionAnchors anchors={settingsAnchors()} />
        </div>
        <form ref={formRef} noValidate aria-label={t`App Settings`} className="min-w-0" onSubmit={submitting(onSubmit)}>
          <Card>
            <GeneralSection form={form} />
            <SecuritySection form={form} />
            <DownloadLinksSection form={form} />
            <SessionsSection form={form} />
            <section className="px-4 pb-3 [&>div]:border-t-0 sm:px-[18px]">
              <ShowApiCall calls={() => form.changes && [settingsCall(app, form.changes)]} />
            </section>
            <KeysSection
              app={app}
              onReplace={() => dialog.open('replace-keys')}
              onRetire={() => dialog.open('retire-keys')}
            />
            <ExportSection app={app} />
            <DangerSection onDelete={openDelete} />
          </Card>
          {/* Without a submit button a form with several fields ignores Enter. */}
          <button type="submit" hidden />
        </form>
        <div className="min-w-0 xl:sticky xl:top-[calc(68px+var(--strip))]">
          <ConnectCard app={app} shown={useIdle()} placeholder={<ConnectPlaceholder />} />
        </div>
      </div>
      <SaveBar form={form} buttonsInView={buttonsInView} onDelete={openDelete} />
      <LeaveGuard appId={app.appId} isSaving={settings.dialog.busy} changed={changed.map((field) => labels[field])} />
      <>
        {dialog.name === 'disable-app' && disables && (
          <DisableAppDialog app={app} onConfirm={settings.dialog.onSubmit} onClose={dialog.close} />
        )}
      </>
      <>{dialog.name === 'delete-app' && <DeleteAppDialog app={app} onClose={dialog.close} />}</>
      <>{dialog.name === 'replace-keys' && <ReplaceKeysDialog app={app} onClose={dialog.close} />}</>
      <>{dialog.name === 'retire-keys' && <RetireKeysDialog app={app} onClose={dialog.close} />}</>
    </>
  )
}

const ConnectPlaceholder = () => (
  <Card>
    <div className="flex min-h-96 flex-col gap-3 px-4 pt-4">
      <h2 className="text-section font-semibold">{t`Connect your program`}</h2>
      <Skeleton className="h-3 w-56" />
      <Skeleton className="h-64 w-full" />
    </div>
  </Card>
)

function settingsAnchors(): Anchor[] {
  return [
    { id: 'general', title: t({ message: 'General', context: 'settings' }) },
    { id: 'security', title: t({ message: 'Security', context: 'settings' }) },
    { id: 'links', title: t({ message: 'Links', context: 'settings' }) },
    { id: 'sessions', title: t({ message: 'Sessions', context: 'settings' }) },
    { id: 'keys', title: t({ message: 'Keys', context: 'settings' }) },
    { id: 'data', title: t({ message: 'Data', context: 'settings' }) },
    { id: 'danger', title: t({ message: 'Danger', context: 'settings' }) },
  ]
}

export function AppSettingsPage() {
  const app = useSelectedApp()
  useDraftsOfExistingApps(useQuery(appsQuery).data)
  if (app) return <AppSettings key={app.appId} app={app} />
  const text = t`Please select an app from the sidebar to manage its settings.`
  return <NoAppSelected title={t`App Settings`} text={text} />
}

/** The call that stores the changes. The link of a chat is a secret. */
function settingsCall({ appId }: App, changes: Partial<SettingsForm>): ApiCall {
  const { appName, version, description, ...settings } = changes
  const body = { appId, appName, version, description, settings }
  return apiCall('POST /update_app', { appId, body }, { discordWebhookLink: 'SIGNET_CHAT_LINK' })
}

/**
 * Asks before unsaved settings are left, also those of apps that were selected before. Deleting the app discards its edits
 * and leaves immediately.
 */
function LeaveGuard({ appId, isSaving, changed }: { appId: string; isSaving: boolean; changed: string[] }) {
  const { data: apps = [] } = useQuery(appsQuery)
  const edited = appsWithDrafts()
  const others = apps.filter((app) => app.appId !== appId && edited.includes(app.appId)).map(({ appName }) => appName)
  return (
    <LeaveQuestion
      hasEdits={() => appsWithDrafts().length > 0}
      isSaving={isSaving}
      changes={[...changed, ...others].join(', ')}
      onDiscard={() => appsWithDrafts().forEach(dropSettingsDraft)}
    />
  )
}
